import type { LoadedRelease } from './loaded-release.ts';
import { pageRelease } from './visitor-sets.ts';

const canary = { app: 'mfe-blocks', release: 'r2', share: 50 };
const loaded = (id: string, pages: Record<string, boolean>) =>
  ({
    id,
    pages: new Map(Object.entries(pages).map(([path, isRendered]) => [path, { isRendered }])),
  }) as unknown as LoadedRelease;

test.each([
  ['that it has', '/blocks', 'r1.r2'],
  ['that is not rendered yet', '/blocks/new', 'r1'],
  ['that it removes or redirects', '/blocks/old', 'r1.r2'],
])('visitors of a canary get a page %s (%s) from %s', (_what, path, id) => {
  const live = loaded('r1', { '/blocks': true, '/blocks/new': true, '/blocks/old': true });
  const release = loaded('r1.r2', { '/blocks': true, '/blocks/new': false });
  const shown = { sets: () => [{ canaries: [canary], release }] };
  expect(pageRelease(shown, live, path, [canary]).id).toBe(id);
  expect(pageRelease(shown, live, path, []).id).toBe('r1');
});
