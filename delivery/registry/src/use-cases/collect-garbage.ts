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
  forgetOtherPages,
  hasVersions,
  keptVersions,
  markCollected,
  type Keep,
} from '../database/collection.repository.ts';
import type { RegistryTransaction } from '../database/tables.ts';
import type { Writing } from '../database/writing.ts';
import { versionName, type VersionPair } from '../database/version.repository.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import type { RegistryContext } from './context.ts';
import { findNeeded, findNeededVersions, type NeededBlobs, type NeededVersions } from './needed-blobs.ts';
import { runChange } from './run-change.ts';
import { DAY_MS } from '@site/server/durations';

/** How long to wait for a moment when no change is under way. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

type CollectionContext = Pick<RegistryContext, 'db' | 'store' | 'now'>;

/** How many versions are marked as collected with one transaction, which keeps all changes waiting. */
const VERSIONS_AT_ONCE = 500;

/**
 * Deletes what nobody needs. First the store is listed and all manifests are read, which takes a while and disturbs nobody. Then short
 * transactions, while no change is under way, read the difference and mark: all but the last mark versions only, so each is short;
 * the last decides about blobs. Then the marked blobs are deleted one by one. When this process dies in between, a retry or the next
 * collection goes on.
 */
export async function collectGarbage(
  command: Command<CollectionContext>,
  request: CollectionRequest,
  { patienceMs = PATIENCE_MS, versionsAtOnce = VERSIONS_AT_ONCE } = {},
): Promise<Answer<CollectionAnswer>> {
  const { context, actor, requestDigest, dryRun } = command;
  const { db, store } = context;
  let seen: Seen | undefined;
  let deadline = Infinity;
  let isLast = false;
  const whileNobodyChanges = {
    locks: { changesUnderWay: true },
    async read() {
      if (isLast) throw await busy(context);
      if (seen) await sleep(PAUSE_MS);
      // It looks once more then: a machine that stood still must not be told that others kept running.
      isLast = performance.now() > deadline;
    },
    hasMoved: (transaction: RegistryTransaction) => isChangeUnderWay(transaction, context.now()),
  };
  async function look(): Promise<Seen> {
    if (seen) return seen;
    const stored: StoredBlob[] = [];
    for await (const blob of store.list()) stored.push(blob);
    const at = context.now();
    const needed = await findNeeded(db, keepOf(request, at), at);
    const spare = stored.filter((blob) => isSpare(blob, needed, at));
    const old = await keptVersions(db);
    seen = { files: stored.length, spare, old: old.filter(isUnneeded(needed)), needed };
    waitAgain();
    return seen;
  }
  function waitAgain(): void {
    deadline = performance.now() + patienceMs;
    isLast = false;
  }

  const marked: MarkedVersion[] = [];
  const answer = await runChange(command, {
    ...whileNobodyChanges,
    async prepare() {
      const ready = await look();
      // A dry run takes everything back, so it needs one transaction.
      while (!dryRun && ready.old.length > versionsAtOnce) {
        const old = ready.old.splice(0, versionsAtOnce);
        const { body } = await runChange(
          { context, actor, key: null, requestDigest, dryRun },
          {
            ...whileNobodyChanges,
            prepare: () => Promise.resolve(),
            write: async (writing) => ({ body: await markOld(writing, request, { ...ready, old }) }),
          },
        );
        marked.push(...body.versions);
        waitAgain();
      }
      return ready;
    },
    write: async (writing, _, ready) => ({ body: await collect(writing, request, ready, marked) }),
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
  /** Versions that nothing needed. */
  old: VersionPair[];
  needed: NeededBlobs;
}

type MarkedVersion = CollectionAnswer['versions'][number];

function keepOf({ keepReleases, keepDays }: CollectionRequest, at: Date): Keep {
  return { releases: keepReleases, since: new Date(at.getTime() - keepDays * DAY_MS) };
}

function isSpare({ integrity, storedAt }: StoredBlob, { blobs }: NeededBlobs, at: Date): boolean {
  return storedAt.getTime() < at.getTime() - DAY_MS && !blobs.has(integrity);
}

const isUnneeded =
  ({ versions }: NeededVersions) =>
  ([app, version]: VersionPair) =>
    !versions.has(versionName(app, version));

/** Marks versions that are still not needed. Their blobs stay until the last step. */
async function markOld(
  writing: Writing,
  request: CollectionRequest,
  { old, needed: before }: Seen,
): Promise<{ versions: MarkedVersion[] }> {
  const { transaction, at } = writing;
  const needed = await findNeededVersions(transaction, keepOf(request, at), at, before);
  const versions = await markCollected(transaction, old.filter(isUnneeded(needed)), at);
  await noteCollected(writing, request, { blobs: 0, bytes: 0 }, versions);
  return { versions };
}

async function collect(
  writing: Writing,
  request: CollectionRequest,
  { files, spare, old, needed: before }: Seen,
  marked: readonly MarkedVersion[],
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
  const versions = await markCollected(transaction, old.filter(isUnneeded(needed)), at);
  const deleted = { blobs: doomed.length, bytes: doomed.reduce((sum, { bytes }) => sum + bytes, 0) };
  await noteCollected(writing, request, deleted, versions);
  return { deleted, versions: inOrder([...marked, ...versions]), kept: files - doomed.length };
}

async function noteCollected(
  writing: Writing,
  { keepReleases, keepDays }: CollectionRequest,
  deleted: CollectionAnswer['deleted'],
  versions: readonly MarkedVersion[],
): Promise<void> {
  if (deleted.blobs === 0 && versions.length === 0) return;
  const names = inOrder(versions).map(({ app, version }) => versionName(app, version));
  await appendAudit(writing, {
    action: 'store.collected',
    subject: 'store',
    details: { keepReleases, keepDays, ...deleted, versions: names },
  });
}

function inOrder(versions: readonly MarkedVersion[]): MarkedVersion[] {
  return versions.toSorted((a, b) =>
    versionName(a.app, a.version) < versionName(b.app, b.version) ? -1 : 1,
  );
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
