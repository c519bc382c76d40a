export function listLetters(ranges: string): string {
  return ranges
    .split(',')
    .map((range) => {
      const [, first = '', last = first] = /^\s*U\+([0-9A-F]+)(?:-([0-9A-F]+))?\s*$/i.exec(range) ?? [];
      if (first === '') throw new Error(`"${range}" is not part of a unicode-range: write U+20-7E or U+A9.`);
      const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
      return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');
    })
    .join('');
}
