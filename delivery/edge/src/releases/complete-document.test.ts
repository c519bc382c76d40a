import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { completed } from './complete-document.ts';

const store = createMemoryStore();
const known = createSampleRelease(store, { id: 'r1' });
const next = createSampleRelease(store, { id: 'r2', editions: { 'mfe-blocks': 'two' }, lastGoodOf: known });
/** As a registry sends it to whoever has the first. */
const sent = {
  ...next,
  manifests: Object.fromEntries(
    Object.entries(next.manifests).filter(([name]) => !(name in known.manifests)),
  ),
  besides: 'r1',
};

test('what was left out comes from the document that is here, and is shared with it', () => {
  const whole = completed(sent, known);
  expect(Object.keys(sent.manifests)).toHaveLength(1);
  expect(whole).toEqual(next);
  const name = `mfe-policies@${known.release.apps['mfe-policies']}`;
  expect(whole?.manifests[name]).toBe(known.manifests[name]);
});

test('a whole document, of a registry that leaves nothing out, stays as it is', () => {
  expect(completed(next, known)).toEqual(next);
  expect(completed(next, null)).toEqual(next);
});

test('is nothing to serve when what is here is another release, or lacks what it should have', () => {
  expect(completed(sent, null)).toBeNull();
  expect(completed(sent, { ...known, release: { ...known.release, id: 'r7' } })).toBeNull();
  expect(completed(sent, { ...known, manifests: {} })).toBeNull();
});
