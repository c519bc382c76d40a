import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredBlob } from '@site/artifacts/artifact-store';
import type { CollectionAnswer } from '@site/contract';
import type { CollectionRequest } from '@site/contract/registry-calls/upkeep.calls';
import { inParallel } from '@site/contract/in-parallel';
import { appendAudit } from '../database/audit.repository.ts';
import { deleteDoomed, doom, listDoomed } from '../database/blob.repository.ts';
import {
  forgetDeadChanges,
  isChangeUnderWay,
  listChangesUnderWay,
  wantedSince,
} from '../database/changes-under-way.repository.ts';
import { collectOtherVersions, forgetOtherPages, hasVersions } from '../database/collection.repository.ts';
import type { Writing } from '../database/writing.ts';
import { versionName } from '../database/version.repository.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import type { RegistryContext } from './context.ts';
import { findNeeded } from './needed-blobs.ts';
import { runChange } from './run-change.ts';
import { DAY_MS } from '@site/server/durations';

/** How long to wait for a moment when no change is under way. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

type CollectionContext = Pick<RegistryContext, 'db' | 'store' | 'now'>;

/**
 * Deletes what nobody needs. First the store is listed, which may take a while and disturbs nobody; then one short
 * transaction, while no change is under way, decides and marks; then the marked blobs are deleted one by one. When this
 * process dies in between, a retry or the next collection goes on.
 */
export async function collectGarbage(
  command: Command<CollectionContext>,
  request: CollectionRequest,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Answer<CollectionAnswer>> {
  const { context, dryRun } = command;
  const { db, store } = context;
  let stored: StoredBlob[] | undefined;
  let deadline = Infinity;
  let isLast = false;
  const answer = await runChange(command, {
    locks: { changesUnderWay: true },
    async read() {
      if (isLast) throw await busy(context);
      if (stored) await sleep(PAUSE_MS);
      // It looks once more then: a machine that stood still must not be told that others kept running.
      isLast = performance.now() > deadline;
    },
    async prepare() {
      if (stored) return stored;
      stored = [];
      for await (const blob of store.list()) stored.push(blob);
      deadline = performance.now() + patienceMs;
      return stored;
    },
    hasMoved: (transaction) => isChangeUnderWay(transaction, context.now()),
    write: async (writing, _, blobs) => ({ body: await collect(writing, request, blobs) }),
  });
  if (!dryRun) await sweep({ db, store });
  return answer;
}

async function collect(
  writing: Writing,
  { keepReleases, keepDays }: CollectionRequest,
  stored: readonly StoredBlob[],
): Promise<CollectionAnswer> {
  const { transaction, at } = writing;
  // A registry that knows of no version needs no file: most likely it is new, and its backup is still to be restored.
  if (!(await hasVersions(transaction))) {
    throw registryErrors.registry_empty(
      `The registry has no versions, so it would delete everything in the store (${stored.length} files).`,
    );
  }
  const since = new Date(at.getTime() - keepDays * DAY_MS);
  const yesterday = new Date(at.getTime() - DAY_MS);
  const needed = await findNeeded(transaction, { releases: keepReleases, since }, at);
  await forgetDeadChanges(transaction, at);
  const kept = new Set([...needed.blobs, ...(await wantedSince(transaction, yesterday))]);

  const doomed = stored.filter(({ integrity, storedAt }) => storedAt < yesterday && !kept.has(integrity));
  await doom(
    transaction,
    doomed.map(({ integrity }) => integrity),
    at,
  );
  await forgetOtherPages(transaction, needed);
  const versions = (await collectOtherVersions(transaction, needed.versions, at)).sort((a, b) =>
    versionName(a.app, a.version) < versionName(b.app, b.version) ? -1 : 1,
  );
  const deleted = { blobs: doomed.length, bytes: doomed.reduce((sum, { bytes }) => sum + bytes, 0) };
  if (doomed.length > 0 || versions.length > 0) {
    await appendAudit(writing, {
      action: 'store.collected',
      subject: 'store',
      details: {
        keepReleases,
        keepDays,
        ...deleted,
        versions: versions.map(({ app, version }) => versionName(app, version)),
      },
    });
  }
  return { deleted, versions, kept: stored.length - doomed.length };
}

/** Deletes what is marked, also by a collection that did not come to its end. */
export async function sweep({ db, store }: Pick<RegistryContext, 'db' | 'store'>): Promise<void> {
  await inParallel(4, await listDoomed(db), (integrity) =>
    deleteDoomed(db, integrity, () => store.delete(integrity)),
  );
}

async function busy({ db }: CollectionContext) {
  const list = (await listChangesUnderWay(db)).join(', ');
  return registryErrors.registry_busy(`Other changes kept running (${list}).`);
}
