import { isReleaseScript } from './trusted-types.ts';

const base = 'https://site.test/blocks';
const dev = 'http://localhost:3002';
const apps = new Map([
  ['shell', 'https://site.test'],
  ['mfe-blocks', 'https://site.test'],
  ['mfe-partners', dev], // a dev preview
]);

test.each([
  '/assets/mfe-blocks/remoteEntry.abc.js',
  'https://site.test/assets/shell/70.abc.js',
  '/assets/mfe-blocks/remoteEntry.abc.js?t=1',
  `${dev}/assets/mfe-partners/remoteEntry.js`,
])('%s is a script of the release', (url) => {
  expect(isReleaseScript(url, (app) => apps.get(app), base)).toBe(true);
});

test.each([
  'https://evil.test/assets/mfe-blocks/remoteEntry.abc.js',
  '//evil.test/assets/shell/main.js',
  '/assets/mfe-other/remoteEntry.js',
  `${dev}/assets/mfe-blocks/remoteEntry.js`,
  `${dev}/assets/shell/main.js`,
  `${dev}/other.js`,
  '/assets/mfe-partners/remoteEntry.js',
  '/assets/mfe-blocks/../../upload.js',
  '/assets/mfe-blocks/data.json',
  '/uploads/shell/main.js',
  'data:text/javascript,alert(1)',
  'javascript:alert(1)',
  'https://site.test@evil.test/assets/shell/main.js',
  'http://[',
])('%s is not', (url) => {
  expect(isReleaseScript(url, (app) => apps.get(app), base)).toBe(false);
});
