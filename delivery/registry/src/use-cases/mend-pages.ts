import type { VersionManifest } from '@site/contract';
import { findChannel } from '../database/channel.repository.ts';
import { forgetPages, pagesOfVersion } from '../database/rendered-page.repository.ts';
import { LIVE_CHANNEL, type RegistryContext } from './context.ts';
import { examineBlobs } from './examine-blobs.ts';
import { loadReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';

/**
 * Renders again those pages of a version that the store has lost, or has damaged, and that visitors see now. Pages that it
 * has with other shells or configurations leave the index: they are rendered when somebody needs them.
 */
export async function mendPages(context: RegistryContext, manifest: VersionManifest): Promise<void> {
  const { db, store } = context;
  await examineBlobs(store, await pagesOfVersion(db, manifest), () => undefined);
  const lost = async () => store.missing(await pagesOfVersion(db, manifest));
  if ((await lost()).size === 0) return;
  const { live, canary } = await findChannel(db, LIVE_CHANNEL);
  for (const shown of [live, canary]) {
    if (shown?.release.apps[manifest.app] !== manifest.version) continue;
    const { apps, config } = shown.release;
    await renderMissing(context, await loadReleaseSet(db, apps), config, { looksForEach: true });
  }
  await forgetPages(db, manifest, await lost());
}
