import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredBlob } from '@site/artifacts/artifact-store';
import type { CollectionAnswer } from '@site/contract';
import type { CollectionRequest } from '@site/contract/registry-calls/upkeep.calls';
import { inParallel } from '@site/contract/in-parallel';
import { appendAudit } from '../kernel/audit.repository.ts';
import { deleteDoomed, markForDeletion, listDoomed } from '../kernel/blob.repository.ts';
import {
  forgetDeadChanges,
  forgetWanted,
  isChangeUnderWay,
  listChangesUnderWay,
} from '../kernel/changes-under-way.repository.ts';
import {
  forgetPages,
  hasVersions,
  keptVersions,
  markCollected,
  otherPages,
  reliedOn,
  type Keep,
  type PageGroup,
} from './collection.repository.ts';
import type { RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { versionName, type VersionPair } from '../versions/index.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import {
  findBlobs,
  findNeeded,
  findNeededVersions,
  type NeededBlobs,
  type NeededVersions,
} from './needed-blobs.ts';
import { runChange } from '../kernel/run-change.ts';
import { DAY_MS } from '@site/server/durations';

/** How long to wait for a moment without running changes. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

type CollectionContext = Pick<RegistryContext, 'db' | 'store' | 'now'>;

/** Batch size of a marking transaction, which blocks all changes. */
const AT_ONCE = { versions: 100, pages: 50, files: 1_000 };

/**
 * First it lists the store and reads all manifests, which is slow but blocks nothing. Then short transactions recheck
 * and mark one batch each while no change is running. Then the marked blobs are deleted one by one. If the process
 * dies, a retry or the next collection continues.
 */
export async function collectGarbage(
  command: Command<CollectionContext>,
  request: CollectionRequest,
  { patienceMs = PATIENCE_MS, atOnce = AT_ONCE } = {},
): Promise<Answer<CollectionAnswer>> {
  const { context, actor, requestDigest, dryRun } = command;
  const { db, store } = context;
  let seen: Seen | undefined;
  let files = 0;
  let deadline = Infinity;
  let isLast = false;
  const whenIdle = {
    locks: { changesUnderWay: true },
    async read() {
      if (isLast) throw await busy(context);
      if (seen) await sleep(PAUSE_MS);
      // Retry once: this process may have been suspended.
      isLast = performance.now() > deadline;
    },
    hasMoved: (transaction: RegistryTransaction) => isChangeUnderWay(transaction, context.now()),
  };
  async function readStore(): Promise<Seen> {
    if (seen) return seen;
    const stored: StoredBlob[] = [];
    for await (const blob of store.list()) stored.push(blob);
    // A registry without versions is probably new and waiting for a restore, so it must not delete the store's files.
    if (!(await hasVersions(db))) {
      throw registryErrors.registry_empty(
        `The registry has no versions, so it would delete everything in the store (${stored.length} files).`,
      );
    }
    const at = context.now();
    const needed = await findNeeded(db, retention(request, at), at);
    seen = {
      needed,
      unneeded: {
        versions: (await keptVersions(db)).filter(isUnneeded(needed)),
        pages: await otherPages(db, needed),
        files: stored.filter((blob) => isSpare(blob, needed, at)),
      },
    };
    files = stored.length;
    await forgetWanted(db, dayBefore(at));
    waitAgain();
    return seen;
  }
  function waitAgain(): void {
    deadline = performance.now() + patienceMs;
    isLast = false;
  }

  let marked: Marked = { versions: [], blobs: 0, bytes: 0 };
  const answer = await runChange(command, {
    ...whenIdle,
    async prepare() {
      const { needed, unneeded } = await readStore();
      // A dry run is rolled back, so it needs only one transaction.
      while (!dryRun && isMoreThan(atOnce, unneeded)) {
        const batch = takeBatch(atOnce, unneeded);
        const { body } = await runChange(
          { context, actor, key: null, requestDigest, dryRun },
          {
            ...whenIdle,
            prepare: () => Promise.resolve(),
            write: async (writing) => ({ body: await mark(writing, request, needed, batch) }),
          },
        );
        marked = addMarked(marked, body);
        waitAgain();
      }
      return { needed, unneeded };
    },
    async write(writing, _, { needed, unneeded }) {
      const all = addMarked(marked, await mark(writing, request, needed, unneeded));
      const { blobs, bytes, versions } = all;
      return { body: { deleted: { blobs, bytes }, versions: inOrder(versions), kept: files - blobs } };
    },
  });
  if (!dryRun) await sweep({ db, store });
  return answer;
}

interface Seen {
  needed: NeededBlobs;
  unneeded: Unneeded;
}

interface Unneeded {
  versions: VersionPair[];
  pages: PageGroup[];
  files: StoredBlob[];
}

type MarkedVersion = CollectionAnswer['versions'][number];

interface Marked {
  versions: readonly MarkedVersion[];
  blobs: number;
  bytes: number;
}

type BatchSize = Record<keyof Unneeded, number>;

function isMoreThan(atOnce: BatchSize, { versions, pages, files }: Unneeded): boolean {
  return versions.length > atOnce.versions || pages.length > atOnce.pages || files.length > atOnce.files;
}

/**
 * Takes a batch from the list, files last, so that an aborted collection leaves no version or page without its files.
 */
function takeBatch(atOnce: BatchSize, from: Unneeded): Unneeded {
  const versions = from.versions.splice(0, atOnce.versions);
  const pages = from.versions.length > 0 ? [] : from.pages.splice(0, atOnce.pages);
  const files = from.versions.length + from.pages.length > 0 ? [] : from.files.splice(0, atOnce.files);
  return { versions, pages, files };
}

function addMarked(one: Marked, other: Marked): Marked {
  return {
    versions: [...one.versions, ...other.versions],
    blobs: one.blobs + other.blobs,
    bytes: one.bytes + other.bytes,
  };
}

function retention({ keepReleases, keepDays }: CollectionRequest, at: Date): Keep {
  return { releases: keepReleases, since: new Date(at.getTime() - keepDays * DAY_MS) };
}

function dayBefore(at: Date): Date {
  return new Date(at.getTime() - DAY_MS);
}

function isSpare({ integrity, storedAt }: StoredBlob, { blobs }: NeededBlobs, at: Date): boolean {
  return storedAt < dayBefore(at) && !blobs.has(integrity);
}

const isUnneeded =
  ({ versions }: NeededVersions) =>
  ([app, version]: VersionPair) =>
    !versions.has(versionName(app, version));

/** A page is needed while its shell, its remote and its configuration all are. */
const isOther =
  ({ versions, configs }: NeededVersions) =>
  ({ shell_version, app, app_version, config_digest }: PageGroup) =>
    !versions.has(versionName('shell', shell_version)) ||
    !versions.has(versionName(app, app_version)) ||
    !configs.includes(config_digest);

/**
 * @param needed receives what has become needed. It stays needed for later batches: a version kept by this batch keeps
 * its files.
 */
async function mark(
  writing: ChangeContext,
  request: CollectionRequest,
  needed: NeededBlobs,
  batch: Unneeded,
): Promise<Marked> {
  const { transaction, at } = writing;
  const { unread, ...now } = await findNeededVersions(transaction, retention(request, at), at, needed);
  Object.assign(needed, now);
  for (const integrity of await findBlobs(transaction, unread)) needed.blobs.add(integrity);
  const versions = await markCollected(transaction, batch.versions.filter(isUnneeded(needed)), at);
  await forgetPages(transaction, batch.pages.filter(isOther(needed)));
  await forgetDeadChanges(transaction, at);
  const spare = batch.files.filter((blob) => isSpare(blob, needed, at));
  const relied = await reliedOn(
    transaction,
    spare.map(({ integrity }) => integrity),
    dayBefore(at),
  );
  const doomed = spare.filter(({ integrity }) => !relied.has(integrity));
  await markForDeletion(
    transaction,
    doomed.map(({ integrity }) => integrity),
    at,
  );
  const deleted = { blobs: doomed.length, bytes: doomed.reduce((sum, { bytes }) => sum + bytes, 0) };
  await noteCollected(writing, request, deleted, versions);
  return { versions, ...deleted };
}

async function noteCollected(
  writing: ChangeContext,
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

/** Deletes marked blobs, including marks of an aborted collection. */
export async function sweep({ db, store }: Pick<RegistryContext, 'db' | 'store'>): Promise<void> {
  await inParallel(4, await listDoomed(db), (integrity) =>
    deleteDoomed(db, integrity, () => store.delete(integrity)),
  );
}

async function busy({ db }: CollectionContext) {
  const list = (await listChangesUnderWay(db)).join(', ');
  return registryErrors.registry_busy(`Other changes kept running (${list}).`);
}
