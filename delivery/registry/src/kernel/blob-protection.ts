import { randomUUID } from 'node:crypto';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { inParallel } from '@site/contract/in-parallel';
import { markDamaged, markedAmong, save, unmarkDamaged } from './blob.repository.ts';
import {
  endChangeUnderWay,
  beginChangeUnderWay,
  recordWanted,
  extendChangeUnderWay,
} from './changes-under-way.repository.ts';
import { inBatches } from './scheduling.ts';
import type { ProtectedStore, RegistryContext } from './context.ts';
import { MINUTE_MS } from '@site/server/durations';
import { blobState, type BlobState } from '@site/artifacts/blob-state';

/**
 * See `docs/decisions/0025-garbage-collection-and-repair.md`. The collection marks unneeded blobs in short transactions
 * while no change is running. A marked blob counts as missing until it is uploaded again, which removes the mark.
 */
type Context = Pick<RegistryContext, 'db' | 'now'>;

/** Longer than any change takes: only a dead registry leaves a change open. */
const CHANGE_LASTS_MS = 15 * MINUTE_MS;

export interface ProtectedWork {
  renew(): Promise<void>;
  end(): Promise<void>;
}

export async function beginChange({ db, now }: Context, what: string): Promise<ProtectedWork> {
  const id = randomUUID();
  const expiresAt = () => new Date(now().getTime() + CHANGE_LASTS_MS);
  await beginChangeUnderWay(db, { id, what, expiresAt: expiresAt() });
  return {
    renew: () => extendChangeUnderWay(db, id, expiresAt()),
    end: () => endChangeUnderWay(db, id),
  };
}

/**
 * The protection ends with the work, not with a connection: a disconnecting client does not stop running work.
 * @param onLateEnd called if the end could not be recorded. The protection then expires, and the result is valid
 * anyway.
 */
export async function duringChange<T>(
  context: Context,
  what: string,
  work: () => Promise<T>,
  onLateEnd: (error: unknown) => void,
): Promise<T> {
  const change = await beginChange(context, what);
  // A lost renewal is followed by others long before the expiry.
  const alive = setInterval(() => void change.renew().catch(() => undefined), CHANGE_LASTS_MS / 15);
  alive.unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    await change.end().catch(onLateEnd);
  }
}

/** Protects existing blobs: a client that has queried missing blobs will not upload the others. */
export async function wantBlobs({ db, now }: Context, integrities: readonly string[]): Promise<void> {
  if (integrities.length > 0) await recordWanted(db, integrities, now());
}

const LOOKS_AT_ONCE = 32;
/** Timeout for all blobs of one query if the store may be down. A healthy bucket checks 2,000 pages within it. */
const AWAY_AFTER_MS = 3_000;
/** A rollback checks the store several times, but waits for the timeout only once. */
const STAYS_AWAY_MS = 10_000;

/**
 * The store as seen by everything except the collection: marked or damaged blobs are missing until they are put again.
 */
export function createProtectedStore(
  store: ArtifactStore,
  context: Context,
  { awayAfterMs = AWAY_AFTER_MS }: { awayAfterMs?: number } = {},
): ProtectedStore {
  const { db, now } = context;
  let awayUntil = -Infinity;

  async function missing(
    integrities: Iterable<string>,
    { mayBeAway = false }: { mayBeAway?: boolean } = {},
  ): Promise<Set<string>> {
    const asked = [...new Set(integrities)];
    if (asked.length === 0) return new Set();
    // Read marks before the store: a deletion that ends in between removes both mark and blob.
    const gone = await markedAmong(db, asked);
    const unmarked = asked.filter((integrity) => !gone.has(integrity));
    for (const integrity of await (mayBeAway ? knownLost(unmarked) : lost(unmarked))) gone.add(integrity);
    return gone;
  }

  async function lost(integrities: readonly string[]): Promise<string[]> {
    const found = await inParallel(LOOKS_AT_ONCE, integrities, async (integrity) =>
      (await store.has(integrity)) ? [] : [integrity],
    );
    return found.flat();
  }

  /** Blobs known to be missing. Queries the store until its first failure or the total timeout. */
  async function knownLost(integrities: readonly string[]): Promise<string[]> {
    if (performance.now() < awayUntil) return [];
    const found: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    const isAway = () => void (awayUntil = performance.now() + STAYS_AWAY_MS);
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, awayAfterMs);
    }).then(isAway);
    const asking = inParallel(LOOKS_AT_ONCE, integrities, async (integrity) => {
      if (performance.now() < awayUntil) return;
      const isStored = await store.has(integrity).catch(isAway);
      if (isStored === false) found.push(integrity);
    });
    await Promise.race([asking, timeUp]);
    clearTimeout(timer);
    return [...found];
  }

  async function claim(integrities: readonly string[]): Promise<void> {
    await wantBlobs(context, integrities);
    // Waits for running deletions; others do not start.
    await save(db, integrities);
  }

  const confirm = (integrities: readonly string[]) => unmarkDamaged(db, integrities);

  const putBetween =
    (
      before: (integrity: string) => Promise<void>,
      after: (integrity: string) => Promise<void>,
    ): ArtifactStore['put'] =>
    async (integrity, bytes) => {
      await before(integrity);
      await store.put(integrity, bytes);
      await after(integrity);
    };

  return {
    missing,
    async markDamaged(integrities) {
      if (integrities.length > 0) await markDamaged(db, integrities, now());
    },
    async has(integrity) {
      return (await missing([integrity])).size === 0;
    },
    async blobSize(integrity) {
      return (await markedAmong(db, [integrity])).size > 0 ? null : store.blobSize(integrity);
    },
    put: putBetween(
      (integrity) => claim([integrity]),
      (integrity) => confirm([integrity]),
    ),
    createBulkPut: () => putBetween(inBatches(claim), inBatches(confirm)),
    compress: (integrity) => store.compress(integrity),
    get: (integrity) => store.get(integrity),
    getEncoded: (integrity, encoding) => store.getEncoded(integrity, encoding),
    list: () => store.list(),
    delete: (integrity) => store.delete(integrity),
  };
}

/** Blobs in memory at the same time. */
const AT_ONCE = 4;

export function examineBlobs<T>(
  store: ProtectedStore,
  integrities: readonly string[],
  tell: (integrity: string, state: BlobState) => T,
): Promise<T[]> {
  return inParallel(AT_ONCE, integrities, async (integrity) => {
    const state = await blobState(store, integrity);
    if (state === 'contents' || state === 'copies') await store.markDamaged([integrity]);
    return tell(integrity, state);
  });
}
