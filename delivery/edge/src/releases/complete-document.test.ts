import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { completed } from './complete-document.ts';

const store = createMemoryStore();
const known = createSampleRelease(store, { id: 'r1' });
const next = createSampleRelease(store, { id: 'r2', editions: { 'mfe-blocks': 'two' }, lastGoodOf: known });
/** As a registry sends it to an edge that has the first one. */
const sent = {
  ...next,
  manifests: Object.fromEntries(
    Object.entries(next.manifests).filter(([name]) => !(name in known.manifests)),
  ),
  besides: 'r1',
};

test('omitted parts come from the local document and are shared with it', () => {
  const whole = completed(sent, known);
  expect(Object.keys(sent.manifests)).toHaveLength(1);
  expect(whole).toEqual(next);
  const name = `mfe-policies@${known.release.apps['mfe-policies']}`;
  expect(whole?.manifests[name]).toBe(known.manifests[name]);
});

test('a complete document from a registry that omits nothing stays as it is', () => {
  expect(completed(next, known)).toEqual(next);
  expect(completed(next, null)).toEqual(next);
});

test('is rejected if the local document is another release or lacks an omitted part', () => {
  expect(completed(sent, null)).toBeNull();
  expect(completed(sent, { ...known, release: { ...known.release, id: 'r7' } })).toBeNull();
  expect(completed(sent, { ...known, manifests: {} })).toBeNull();
});

test('pages of versions that are live in both come from the local document, but only if the response says so', () => {
  const { '/blocks': one = {}, '/blocks/auth': two = {} } = next.rendered;
  const fewer = { ...sent, rendered: { '/blocks': one, '/blocks/auth': two } };
  expect(completed({ ...fewer, besidesPages: true }, known)).toEqual(next);
  expect(completed(fewer, known)?.rendered).toEqual(fewer.rendered);
  // A page that exists only in the local version.
  const less = { ...fewer, rendered: { '/blocks': one }, besidesPages: true };
  expect(Object.keys(completed(less, known)?.rendered ?? {})).not.toContain('/blocks/auth');
});

test('file packs come from the same document as the manifests; page packs belong to the release', () => {
  const names = Object.keys(next.manifests);
  const packOf = (name: string) => `pack of ${name}`;
  const filesOf = (some: string[]) => Object.fromEntries(some.map((name) => [name, packOf(name)]));
  const pages = { 'mfe-blocks': ['pages two'] };
  const before = { files: filesOf(Object.keys(known.manifests)), pages: { 'mfe-blocks': ['pages one'] } };
  const whole = completed(
    { ...sent, packs: { files: filesOf(Object.keys(sent.manifests)), pages } },
    { ...known, packs: before },
  );
  expect(whole?.packs).toEqual({ files: filesOf(names), pages });
  const policies = { 'mfe-policies': ['pages of policies'] };
  const here = { ...known, packs: { files: {}, pages: policies } };
  const packs = { files: {}, pages };
  expect(completed({ ...sent, packs, besidesPages: true }, here)?.packs?.pages).toEqual({
    ...pages,
    ...policies,
  });
  expect(completed({ ...sent, packs }, here)?.packs?.pages).toEqual(pages);
});
