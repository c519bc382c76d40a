import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listLetters } from './letters.ts';

test('the letters of a unicode-range', () => {
  expect(listLetters('U+41-43, U+A9,U+2026')).toBe('ABC©…');
});

test('an invalid one is rejected with its text', () => {
  expect(() => listLetters('U+41-43,Z')).toThrow('"Z" is not part of a unicode-range');
});

test('the browser requests each font for exactly the letters it contains', () => {
  const css = readFileSync(join(import.meta.dirname, '../../../ui/src/base.css'), 'utf8');
  const faces = css.match(/@font-face \{[^}]*\?letters=[^}]*\}/g) ?? [];
  expect(faces).toHaveLength(2);
  for (const face of faces) {
    const [, cutTo = ''] = /\?letters=([^']*)'/.exec(face) ?? [];
    const [, asked = ''] = /unicode-range:\s*([^;]*);/.exec(face) ?? [];
    expect(asked.replaceAll(/\s/g, '')).toBe(cutTo);
  }
});
