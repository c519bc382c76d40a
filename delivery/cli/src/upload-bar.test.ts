import { createUploadBar } from './commands/publish.command.ts';

function drawn(isTerminal: boolean): string {
  let text = '';
  const bar = createUploadBar({
    isTerminal,
    out: () => undefined,
    file: () => undefined,
    err: () => undefined,
    draw: (more) => void (text += more),
  });
  bar.show({ uploaded: 1, files: 4, uploadedBytes: 500, bytes: 2000 });
  bar.show({ uploaded: 4, files: 4, uploadedBytes: 2000, bytes: 2000 });
  bar.stop();
  bar.stop();
  return text;
}

test('draws the numbers of sent files and bytes, and restores the cursor', () => {
  const text = drawn(true);
  expect(text).toContain('4/4 files, 2.0 KB of 2.0 KB');
  expect(text).toContain('\x1B[?25h');
});

test('draws nothing without a terminal', () => {
  expect(drawn(false)).toBe('');
});
