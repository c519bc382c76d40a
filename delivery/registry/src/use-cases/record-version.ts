import type { VersionManifest } from '@site/contract';
import type { Provenance } from '@site/contract/provenance';
import { saveApp } from '../database/app.repository.ts';
import { appendAudit } from '../database/audit.repository.ts';
import { forgetRendered, insertRendered } from '../database/rendered-page.repository.ts';
import {
  insertAssets,
  insertVersion,
  makeNewest,
  restoreVersion,
} from '../database/publishing.repository.ts';
import { versionName } from '../database/version.repository.ts';
import type { Writing } from '../database/writing.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import { isPublished, type Published } from './check-version.ts';
import type { Command } from './command.ts';
import { refuseOverQuota } from './limits.ts';
import type { RenderedSet } from './render-missing.ts';
import { checkReserved, type ToReserve } from './reservations.ts';
import { runChange } from './run-change.ts';

/**
 * Last step of publishing: the version, its files and its pages, all at once.
 *
 * @returns whether it is new.
 * @throws ApiError `asset_conflict`, `quota_exceeded`, `version_conflict`, `app_unregistered`, `path_reserved`.
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
  const { body } = await runChange(command, {
    async begin(transaction) {
      const taken = await insertAssets(transaction, app, assets);
      if (taken === null) return;
      throw registryErrors.asset_conflict(`"${taken}" of ${app} was published before with other contents.`);
    },
    // Again, under the locks: somebody else may have reserved a path meanwhile.
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
        // Someone else may have published other contents under this id since we looked.
        await isPublished(transaction, published);
      }
      return { body: { isNew } };
    },
  });
  return body.isNew;
}

/** Nothing new is recorded, but "the version that was published last" is this one from now on. */
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

/** Nothing is noted where nothing is known. */
const noted = (provenance: Provenance | null) => (provenance ? { provenance } : {});

/**
 * In the transaction that records the version: the index never has a page of a version that is not recorded, nor one that
 * was rendered from other contents.
 */
async function indexPages(
  { transaction, at }: Writing,
  manifest: VersionManifest,
  pages: RenderedSet | null,
): Promise<void> {
  await forgetRendered(transaction, manifest);
  if (!pages) return;
  for (const { version, entries } of pages.remotes) {
    await insertRendered(transaction, { ...pages.context, version, entries }, { lost: new Set(), at });
  }
}
