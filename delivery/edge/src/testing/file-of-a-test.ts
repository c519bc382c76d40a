import type { EdgeHarness } from './edge-harness.ts';

/** Long enough for range requests. */
export const fileText = 'abcdefghij'.repeat(50);

/** The target of a file that is in no live release, with contents chosen by a test. */
const target = '/assets/mfe-blocks/file.abc.txt';

/** An edge with an additional file of known contents. */
export async function startWithFile(
  harness: Omit<EdgeHarness, 'close'>,
  contents: string,
  overrides: Parameters<EdgeHarness['start']>[0] = {},
) {
  const started = await harness.startServing(overrides);
  harness.registry.assets.set('mfe-blocks/file.abc.txt', harness.store.add(contents));
  return { ...started, target };
}
