import type { BootRemote } from '@site/contract';
import { isReleaseScript } from './trusted-types.ts';

const base = 'https://site.test/blocks';
const dev = 'http://localhost:3002';
const build = (entry: string, ...scripts: string[]) => ({ version: '1', entry, integrity: '', scripts });
const blocks: BootRemote = {
  name: 'mfe-blocks',
  ...build('/assets/mfe-blocks/remoteEntry.bb.js', 'page.bb.js', 'parts/common.bb.js'),
  lastGood: build('/assets/mfe-blocks/remoteEntry.aa.js', 'page.aa.js'),
};
const partners: BootRemote = {
  name: 'mfe-partners',
  ...build(`${dev}/assets/mfe-partners/remoteEntry.js`),
  dev: true,
};
const release = {
  shellScripts: ['main.cc.js', 'identity.cc.js'],
  remotes: new Map([blocks, partners].map((remote) => [remote.name, remote])),
};

test.each([
  '/assets/mfe-blocks/remoteEntry.bb.js',
  '/assets/mfe-blocks/page.bb.js',
  '/assets/mfe-blocks/parts/common.bb.js',
  'https://site.test/assets/shell/identity.cc.js',
  '/assets/mfe-blocks/remoteEntry.aa.js', // the fallback
  '/assets/mfe-blocks/page.aa.js',
  '/assets/mfe-blocks/remoteEntry.bb.js?attempt=1',
  `${dev}/assets/mfe-partners/remoteEntry.js`, // a dev preview
  `${dev}/assets/mfe-partners/src_page_tsx.js`,
])('%s is a script of the release', (url) => {
  expect(isReleaseScript(url, release, base)).toBe(true);
});

test.each([
  '/assets/mfe-blocks/page.dd.js', // another version, which the edge still serves
  '/assets/mfe-blocks/parts/page.bb.js',
  '/assets/shell/old.js',
  '/assets/shell/page.bb.js',
  'https://evil.test/assets/mfe-blocks/remoteEntry.bb.js',
  '//evil.test/assets/shell/main.cc.js',
  '/assets/mfe-other/remoteEntry.bb.js',
  `${dev}/assets/mfe-blocks/remoteEntry.bb.js`,
  `${dev}/assets/shell/main.cc.js`,
  `${dev}/other.js`,
  '/assets/mfe-partners/remoteEntry.js',
  '/assets/mfe-blocks/../../upload.js',
  '/assets/mfe-blocks/%2e%2e/shell/old.js',
  '/assets/mfe-blocks/data.json',
  '/uploads/shell/main.cc.js',
  'blob:https://site.test/assets/shell/main.cc.js',
  'data:text/javascript,alert(1)',
  'javascript:alert(1)',
  'https://site.test@evil.test/assets/shell/main.cc.js',
  'http://[',
])('Trusted Types allow only the files of this release, not %s', (url) => {
  expect(isReleaseScript(url, release, base)).toBe(false);
});
