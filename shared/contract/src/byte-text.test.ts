import { byteText } from './byte-text.ts';

test.each([
  [999, '999 B'],
  [1000, '1.0 KB'],
  [58_912, '58.9 KB'],
  [5_133_312, '5.1 MB'],
  [-999, '-999 B'],
  [-58_912, '-58.9 KB'],
  [-5_133_312, '-5.1 MB'],
])('%d bytes are formatted as %s', (count, text) => {
  expect(byteText(count)).toBe(text);
});
