import type { VersionManifest } from '@site/contract';
import { manifestProblems } from './manifest-problems.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const listProblems = (manifest: VersionManifest) =>
  manifestProblems(manifest).map((p) => `${p.field} ${p.message}`);
const remote = remoteManifest('mfe-blocks');

test('a manifest from the build has no problems', () => {
  expect(listProblems(remote)).toEqual([]);
  expect(listProblems(shellManifest())).toEqual([]);
});

test('reports an entry or a page file that is not among the assets', () => {
  expect(listProblems({ ...remote, entry: 'other.js' })).toEqual([
    'entry names "other.js", which is not among the assets.',
  ]);
  const pages = remote.pages.map((page) => ({ ...page, css: ['gone.css'] }));
  expect(listProblems({ ...remote, pages })).toEqual([
    'pages /blocks names "gone.css", which is not among the assets.',
  ]);
});

test('reports a preview image that is not among the assets', () => {
  const card = { file: 'cards/blocks.png', text: 'Every part' };
  expect(listProblems({ ...remote, pages: remote.pages.map((page) => ({ ...page, card })) })).toEqual([
    'pages /blocks names "cards/blocks.png", which is not among the assets.',
  ]);
});

test('reports a file or a path that is listed twice', () => {
  expect(listProblems({ ...remote, assets: [...remote.assets, ...remote.assets.slice(0, 1)] })[0]).toMatch(
    /^assets lists ".+" twice/,
  );
  expect(listProblems({ ...remote, pages: [...remote.pages, ...remote.pages] })).toEqual([
    'pages claim "/blocks" twice.',
  ]);
});

test('reports an invalid range, and a version that is not exact', () => {
  expect(listProblems({ ...remote, requires: { react: 'newest' } })).toEqual([
    'requires asks for react "newest", which is not a semver range.',
  ]);
  expect(listProblems({ ...shellManifest(), provides: { react: '^19.0.0' } })).toEqual([
    'provides offers react "^19.0.0", which is not an exact version.',
  ]);
});

test('a remote cannot claim to be the shell', () => {
  expect(listProblems({ ...remote, app: 'shell' })).toEqual([
    'kind is "remote" for the app "shell": only "shell" is a shell.',
  ]);
});
