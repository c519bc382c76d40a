import type { EdgeHarness } from './edge-harness.ts';

/** Long enough to ask for parts of it. */
export const fileText = 'abcdefghij'.repeat(50);

/** The target of a file of no live release, whose contents a test chooses. */
const target = '/assets/mfe-blocks/file.abc.txt';

/** An edge with one more file of known contents. */
export async function startWithFile(
  harness: Omit<EdgeHarness, 'close'>,
  contents: string,
  overrides: Parameters<EdgeHarness['start']>[0] = {},
) {
  const started = await harness.startServing(overrides);
  harness.registry.assets.set('mfe-blocks/file.abc.txt', harness.store.add(contents));
  return { ...started, target };
}
