import { readPack } from '@site/artifacts/pack';
import { ChannelNameSchema, pageSets, type VersionManifest } from '@site/contract';
import { computeIntegrity } from '@site/contract/integrity';
import { inParallel } from '@site/contract/in-parallel';
import { withCanaries } from './canary.ts';
import { findChannel } from './channel.repository.ts';
import {
  forgetPages,
  pagesInPack,
  pagesOfVersion,
  replacePack,
  loadReleaseSet,
  renderMissing,
} from '../pages/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { examineBlobs } from '../kernel/blob-protection.ts';
import { putPack, toLiveSet } from '../versions/index.ts';

const READS_AT_ONCE = 8;

type Store = Pick<RegistryContext, 'store'>;

/**
 * Pages are taken from their pack, or rendered again for the live release and the canaries of every channel. Other lost
 * pages are removed from the index and rendered on demand.
 */
export async function repairPages(context: RegistryContext, manifest: VersionManifest): Promise<void> {
  const { db, store } = context;
  const pages = await pagesOfVersion(db, manifest);
  const packs = new Set(pages.flatMap(({ pack }) => pack ?? []));
  const blobs = [...new Set([...pages.map(({ integrity }) => integrity), ...packs])];
  await examineBlobs(store, blobs, () => undefined);
  const lost = await store.missing(blobs);
  if (lost.size === 0) return;
  const lostPages = pages.filter(({ integrity }) => lost.has(integrity));
  await unpackPages(
    context,
    lostPages.flatMap(({ integrity, pack }) =>
      pack === null || lost.has(pack) ? [] : [{ integrity, pack }],
    ),
  );
  for (const channel of ChannelNameSchema.options) {
    const { live, canaries } = await findChannel(db, channel);
    if (!live) continue;
    const base = { ...toLiveSet(live.release), config: live.release.config };
    for (const set of [[], ...pageSets(canaries)]) {
      const { apps, config } = withCanaries(base, set);
      if (apps[manifest.app] !== manifest.version) continue;
      await renderMissing(context, await loadReleaseSet(db, apps), config, { looksForEach: true });
    }
  }
  await repackPages(context, packs);
  const stillLost = await store.missing(lostPages.map(({ integrity }) => integrity));
  await forgetPages(
    db,
    lostPages.filter(({ integrity }) => stillLost.has(integrity)),
  );
}

/** They must stay indexed, because others rely on the packs. */
async function unpackPages(
  { store }: Store,
  pages: readonly { integrity: string; pack: string }[],
): Promise<void> {
  const wanted = new Set(pages.map(({ integrity }) => integrity));
  for (const pack of new Set(pages.map((page) => page.pack))) {
    const bytes = await store.get(pack);
    // Verified before; if it has changed since, leave it to the next repair.
    if (!bytes || computeIntegrity(bytes) !== pack) continue;
    for (const page of readPack(bytes)) {
      if (wanted.has(page.integrity)) await store.put(page.integrity, page.bytes);
    }
  }
}

/** If their pack is missing or damaged. */
export async function repackPages(
  { db, store }: Pick<RegistryContext, 'db' | 'store'>,
  packs: Iterable<string>,
): Promise<void> {
  for (const lost of await store.missing(packs)) {
    const pages = await inParallel(READS_AT_ONCE, await pagesInPack(db, lost), async (integrity) => {
      const bytes = await store.get(integrity);
      return bytes && computeIntegrity(bytes) === integrity ? [{ integrity, isBrotli: false, bytes }] : [];
    });
    await replacePack(db, lost, await putPack(store, pages.flat()));
  }
}
