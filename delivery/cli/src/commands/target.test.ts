import { parseTarget } from './target.ts';

const version = '1.0.0-3f2a9c01b7de';

test.each([
  ['mfe-blocks', { app: 'mfe-blocks', version: null }],
  [`mfe-blocks@${version}`, { app: 'mfe-blocks', version }],
  ['shell', { app: 'shell', version: null }],
])('%s names an app or a version of it', (text, target) => {
  expect(parseTarget(text)).toEqual(target);
});

test.each([
  '',
  'blocks',
  `@${version}`,
  `blocks@${version}`,
  'mfe-blocks@',
  'mfe-blocks@latest',
  `mfe-blocks@${version}@${version}`,
])('"%s" is rejected with an example', (text) => {
  expect(() => parseTarget(text)).toThrow(`"${text}" is not a version: write <app>@<version>`);
});
