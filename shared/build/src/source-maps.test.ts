import { decode } from '@jridgewell/sourcemap-codec';
import { movedBy, type SourceMap } from './source-maps.ts';

/**
 * A map in which each letter of a script comes from the column with its number in the alphabet, on the same
 * line.
 */
function parseMap(script: string): SourceMap {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const vlq = (value: number): string => {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1;
    let text = '';
    do {
      const digit = rest & 31;
      rest >>= 5;
      text += digits[digit | (rest > 0 ? 32 : 0)] ?? '';
    } while (rest > 0);
    return text;
  };
  let [line, column] = [0, 0];
  const mappings = script.split('\n').map((text, index) => {
    let at = 0;
    return [...text.matchAll(/[a-z](?=;)/g)]
      .map((found) => {
        const letter = (found[0].codePointAt(0) ?? 0) - 97;
        const segment = [found.index - at, 0, index - line, letter - column].map(vlq).join('');
        [at, line, column] = [found.index, index, letter];
        return segment;
      })
      .join(',');
  });
  return { version: 3, sources: ['x.ts'], names: [], mappings: mappings.join(';') };
}

/** The letters that a map leads to: equal to the script's if the map is correct. */
function mappedLetters({ mappings }: SourceMap, script: string): string[] {
  const lines = script.split('\n');
  return decode(mappings).flatMap((segments, index) =>
    segments.map((segment) => {
      const stands = lines[index]?.[segment[0]];
      const letter = String.fromCodePoint(97 + (segment[3] ?? -1));
      return stands === letter ? letter : `${letter} leads to ${stands}`;
    }),
  );
}

test.each([
  ['nothing replaced', 'a;b;\nc;'],
  ['one replacement', 'a;"X"b;c;\nd;'],
  ['several replacements in a line, and in lines', 'a;"X"b;"X"c;\n"X"d;"X""X"e;\n\nf;'],
])('the map of a script with %s still leads to the same sources', (_case, script) => {
  for (const by of ['', 'Y', '{"chunk.js":"a long text"}']) {
    const after = script.replaceAll('"X"', by);
    const letters = [...script.matchAll(/[a-z](?=;)/g)].map(([letter]) => letter);
    expect(mappedLetters(parseMap(script), script)).toEqual(letters);
    expect(mappedLetters(movedBy(parseMap(script), script, '"X"', by), after)).toEqual(letters);
  }
});
