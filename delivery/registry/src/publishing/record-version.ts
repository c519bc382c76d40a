import type { VersionManifest } from '@site/contract';
import type { Provenance } from '@site/contract/provenance';
import { setSpanAttributes } from '@site/contract/tracing';
import {
  saveApp,
  insertAssets,
  insertVersion,
  makeNewest,
  restoreVersion,
  versionName,
  refuseOverQuota,
  checkReserved,
  type ToReserve,
} from '../versions/index.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import { forgetRendered, insertRendered, type RenderedSet } from '../pages/index.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { isPublished, type Published } from './check-version.ts';
import type { Command } from '../kernel/command.ts';
import { runChange } from '../kernel/run-change.ts';

/**
 * Last step of publishing: records the version, its files and its pages atomically.
 * @returns whether it is new.
 */
export async function recordVersion(
  command: Command,
  published: Published,
  {
    pack,
    pages,
    provenance,
  }: { pack: string | null; pages: RenderedSet | null; provenance: Provenance | null },
): Promise<boolean> {
  const { manifest, sourceMaps, contentDigest } = published;
  const { app, version, commit, assets } = manifest;
  setSpanAttributes({ 'site.app': app, 'site.version': version });
  const { body } = await runChange(command, {
    async begin(transaction) {
      const taken = await insertAssets(transaction, app, assets);
      if (taken === null) return;
      throw registryErrors.asset_conflict(`"${taken}" of ${app} was published before with other contents.`);
    },
    // Again under the locks: a path may have been reserved in the meantime.
    read: async (db) => ({ toReserve: await checkReserved(db, command.actor, manifest) }),
    async write(writing, { toReserve }: { toReserve: ToReserve | null }) {
      const { transaction, at, by } = writing;
      const contents = { manifest, sourceMaps, contentDigest, pack };
      const row = { ...contents, publishedBy: by, publishedAt: at, provenance };
      const isNew = (await insertVersion(transaction, row)) || (await restoreVersion(transaction, row));
      if (isNew) {
        await refuseOverQuota(transaction, app, command.context.limits);
        if (toReserve) await saveApp(writing, toReserve.app);
        await indexPages(writing, manifest, pages);
        await appendAudit(writing, {
          action: 'version.published',
          subject: versionName(app, version),
          details: { commit, ...noted(provenance), ...(toReserve ? { reserved: toReserve.added } : {}) },
        });
      } else {
        // Other contents may have been published under this id in the meantime.
        await isPublished(transaction, published);
      }
      return { body: { isNew } };
    },
  });
  return body.isNew;
}

export async function recordAgain(
  command: Command,
  { app, version, commit }: VersionManifest,
  provenance: Provenance | null,
): Promise<void> {
  await runChange(command, {
    async write(writing) {
      if (await makeNewest(writing, { app, version, provenance })) {
        await appendAudit(writing, {
          action: 'version.published',
          subject: versionName(app, version),
          details: { commit, again: true, ...noted(provenance) },
        });
      }
      return { body: {} };
    },
  });
}

const noted = (provenance: Provenance | null) => (provenance ? { provenance } : {});

/** In the transaction that records the version, so that the index contains no pages of unrecorded versions. */
async function indexPages(
  { transaction, at }: ChangeContext,
  manifest: VersionManifest,
  pages: RenderedSet | null,
): Promise<void> {
  await forgetRendered(transaction, manifest);
  if (!pages) return;
  for (const { version, entries } of pages.remotes) {
    await insertRendered(transaction, { ...pages.context, version, entries }, { lost: new Set(), at });
  }
}
