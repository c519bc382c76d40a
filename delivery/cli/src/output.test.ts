import { createIo, table, type Sink } from './output.ts';
import { timeText } from '@site/contract/text';

test('columns fit their longest cell, and no line ends with spaces', () => {
  expect(
    table([
      ['APP', 'LIVE'],
      ['shell', ''],
    ]),
  ).toBe('APP    LIVE\nshell\n');
});

test('a file is written byte for byte; other output escapes control characters', () => {
  const written: string[] = [];
  const sink = { on: () => sink, write: (text: string) => written.push(text) > 0 } as unknown as Sink;
  const io = createIo(sink, sink, false);
  io.file('\uFEFF"a"\r\n');
  io.out('\uFEFF"a"\r\n');
  expect(written).toEqual(['\uFEFF"a"\r\n', '\\ufeff"a"\n']);
});

test('a time is shown in UTC whatever its zone', () => {
  expect(timeText('2026-01-01T13:00:05+01:00')).toBe('2026-01-01 12:00:05 UTC');
});
