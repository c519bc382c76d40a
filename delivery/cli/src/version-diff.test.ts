import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { diffVersions } from './version-diff.ts';

test('everything in a first version is new', () => {
  const diff = diffVersions(null, remoteManifest('mfe-blocks'));
  expect(diff).toMatchObject({
    against: null,
    pages: { added: ['/blocks'], removed: [] },
    files: { added: ['chunk.js', 'remoteEntry.1.js'], removed: [], unchanged: 0 },
    ranges: [{ name: 'react', from: null, to: '^19.0.0' }],
  });
});

test('a version has no changes against itself', () => {
  const manifest = remoteManifest('mfe-blocks');
  expect(diffVersions(manifest, manifest)).toEqual({
    against: manifest.version,
    pages: { added: [], removed: [] },
    files: { added: [], removed: [], unchanged: 2 },
    pageSizes: [],
    ranges: [],
  });
});

test('the size of a page counts its entry, scripts and styles, each file once', () => {
  const manifest = remoteManifest('mfe-blocks');
  const assets = [
    { path: manifest.entry, size: 1, integrity: '' },
    { path: 'chunk.js', size: 10, integrity: '' },
    { path: 'unused.js', size: 100, integrity: '' },
  ];
  const pages = manifest.pages.map((page) => ({ ...page, js: ['chunk.js', 'chunk.js'] }));
  expect(diffVersions(null, { ...manifest, assets, pages }).pageSizes).toEqual([
    { path: '/blocks', from: null, to: { files: 2, bytes: 11 } },
  ]);
});

test("the shell's provided packages are compared as well", () => {
  const diff = diffVersions(shellManifest(), shellManifest({ contents: 2, provides: { react: '19.4.0' } }));
  expect(diff.ranges).toEqual([{ name: 'react', from: '19.3.0', to: '19.4.0' }]);
});
