import { copyText } from './copy-text.ts';

const withClipboard = (writeText: () => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });

test('reports whether the text was copied: not without a clipboard, nor if the visitor denies it', async () => {
  // Like a page that is not served over HTTPS.
  expect('clipboard' in navigator).toBe(false);
  expect(await copyText('a')).toBe(false);
  withClipboard(() => Promise.reject(new DOMException('', 'NotAllowedError')));
  expect(await copyText('a')).toBe(false);
  withClipboard(() => Promise.resolve());
  expect(await copyText('a')).toBe(true);
});
