import { highlight } from './highlight.ts';

const kinds = (source: string) =>
  highlight(source)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => [kind, text]);

test.each([
  [
    'const n = 42; // the answer',
    [
      ['keyword', 'const'],
      ['number', '42'],
      ['comment', '// the answer'],
    ],
  ],
  [
    'curl -X POST https://api.test/guests',
    [
      ['keyword', 'curl'],
      ['keyword', '-X'],
      ['keyword', 'POST'],
    ],
  ],
  [
    `{ "id": "it's" }`,
    [
      ['string', '"id"'],
      ['string', `"it's"`],
    ],
  ],
  [
    'GET /guests # yours',
    [
      ['keyword', 'GET'],
      ['comment', '# yours'],
    ],
  ],
  [
    "'a \\' b' + `c`",
    [
      ['string', "'a \\' b'"],
      ['string', '`c`'],
    ],
  ],
  ['newest constant', []],
])('%s', (source, expected) => {
  expect(kinds(source)).toEqual(expected);
});

test('preserves the whole source', () => {
  const source = 'a "b" // c\nreturn 1;\n\n  --flag';
  expect(
    highlight(source)
      .map(({ text }) => text)
      .join(''),
  ).toBe(source);
});
