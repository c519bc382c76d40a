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
import {
  collectOtherVersions,
  forgetOtherPages,
  hasVersions,
  type Keep,
} from '../database/collection.repository.ts';
import type { Writing } from '../database/writing.ts';
import { versionName } from '../database/version.repository.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import type { RegistryContext } from './context.ts';
import { findNeeded, type NeededBlobs } from './needed-blobs.ts';
import { runChange } from './run-change.ts';
import { DAY_MS } from '@site/server/durations';

/** How long to wait for a moment when no change is under way. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

type CollectionContext = Pick<RegistryContext, 'db' | 'store' | 'now'>;

/**
 * Deletes what nobody needs. First the store is listed and all manifests are read, which takes a while and disturbs nobody. Then one
 * short transaction, while no change is under way, reads the difference, decides and marks; then the marked blobs are deleted one by one. When this
 * process dies in between, a retry or the next collection goes on.
 */
export async function collectGarbage(
  command: Command<CollectionContext>,
  request: CollectionRequest,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Answer<CollectionAnswer>> {
  const { context, dryRun } = command;
  const { db, store } = context;
  let seen: Seen | undefined;
  let deadline = Infinity;
  let isLast = false;
  const answer = await runChange(command, {
    locks: { changesUnderWay: true },
    async read() {
      if (isLast) throw await busy(context);
      if (seen) await sleep(PAUSE_MS);
      // It looks once more then: a machine that stood still must not be told that others kept running.
      isLast = performance.now() > deadline;
    },
    async prepare() {
      if (seen) return seen;
      const stored: StoredBlob[] = [];
      for await (const blob of store.list()) stored.push(blob);
      const at = context.now();
      const needed = await findNeeded(db, keepOf(request, at), at);
      const spare = stored.filter((blob) => isSpare(blob, needed, at));
      seen = { files: stored.length, spare, needed };
      deadline = performance.now() + patienceMs;
      return seen;
    },
    hasMoved: (transaction) => isChangeUnderWay(transaction, context.now()),
    write: async (writing, _, ready) => ({ body: await collect(writing, request, ready) }),
  });
  if (!dryRun) await sweep({ db, store });
  return answer;
}

/** The registry and its store before the locks. */
interface Seen {
  /** How many files the store has. */
  files: number;
  /** Old files that nothing needed. */
  spare: readonly StoredBlob[];
  needed: NeededBlobs;
}

function keepOf({ keepReleases, keepDays }: CollectionRequest, at: Date): Keep {
  return { releases: keepReleases, since: new Date(at.getTime() - keepDays * DAY_MS) };
}

function isSpare({ integrity, storedAt }: StoredBlob, { blobs }: NeededBlobs, at: Date): boolean {
  return storedAt.getTime() < at.getTime() - DAY_MS && !blobs.has(integrity);
}

async function collect(
  writing: Writing,
  request: CollectionRequest,
  { files, spare, needed: before }: Seen,
): Promise<CollectionAnswer> {
  const { transaction, at } = writing;
  // A registry that knows of no version needs no file: most likely it is new, and its backup is still to be restored.
  if (!(await hasVersions(transaction))) {
    throw registryErrors.registry_empty(
      `The registry has no versions, so it would delete everything in the store (${files} files).`,
    );
  }
  const needed = await findNeeded(transaction, keepOf(request, at), at, before);
  await forgetDeadChanges(transaction, at);
  const wanted = new Set(await wantedSince(transaction, new Date(at.getTime() - DAY_MS)));
  const doomed = spare.filter((blob) => isSpare(blob, needed, at) && !wanted.has(blob.integrity));
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
        keepReleases: request.keepReleases,
        keepDays: request.keepDays,
        ...deleted,
        versions: versions.map(({ app, version }) => versionName(app, version)),
      },
    });
  }
  return { deleted, versions, kept: files - doomed.length };
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
