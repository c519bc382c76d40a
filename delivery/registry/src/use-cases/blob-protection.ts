import { randomUUID } from 'node:crypto';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { inParallel } from '@site/contract/in-parallel';
import { markDamaged, markedAmong, save, unmarkDamaged } from '../database/blob.repository.ts';
import {
  endChange,
  noteChange,
  noteWanted,
  prolongChange,
} from '../database/changes-under-way.repository.ts';
import { inBatches } from './in-batches.ts';
import type { ProtectedStore, RegistryContext } from './context.ts';
import { MINUTE_MS } from '@site/server/durations';

/**
 * Keeps garbage collection and everyone else apart; `docs/decisions/0025-garbage-collection-and-repair.md` explains how. In short:
 * the collection decides in short transactions, at moments when no change is under way, what nobody needs. What it
 * has marked then is gone for everyone who comes later, until they upload it again, which removes the mark.
 */
type Context = Pick<RegistryContext, 'db' | 'now'>;

/** Longer than any change takes: only the registry's own death leaves a change open. */
const CHANGE_LASTS_MS = 15 * MINUTE_MS;

/** A piece of work that relies on blobs it finds in the store, until it has recorded that it needs them. */
export interface ProtectedWork {
  /** For work that takes longer than a change does: says that it is still going on. */
  goesOn(): Promise<void>;
  end(): Promise<void>;
}

export async function beginChange({ db, now }: Context, what: string): Promise<ProtectedWork> {
  const id = randomUUID();
  const expiresAt = () => new Date(now().getTime() + CHANGE_LASTS_MS);
  await noteChange(db, { id, what, expiresAt: expiresAt() });
  return {
    goesOn: () => prolongChange(db, id, expiresAt()),
    end: () => endChange(db, id),
  };
}

/**
 * Work of any length that relies on blobs. It ends with the work and not with a connection: a client that goes away does not
 * stop what it has begun.
 *
 * @param onLateEnd hears when its end could not be noted: it expires by itself then, and what was done is right all the same.
 */
export async function duringChange<T>(
  context: Context,
  what: string,
  work: () => Promise<T>,
  onLateEnd: (error: unknown) => void,
): Promise<T> {
  const change = await beginChange(context, what);
  // A sign of life that is lost is followed by others, long before the change counts as dead.
  const alive = setInterval(() => void change.goesOn().catch(() => undefined), CHANGE_LASTS_MS / 15);
  alive.unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    await change.end().catch(onLateEnd);
  }
}

/** A client that asks which blobs are missing will not upload the others: from now on those must stay. */
export async function wantBlobs({ db, now }: Context, integrities: readonly string[]): Promise<void> {
  if (integrities.length > 0) await noteWanted(db, integrities, now());
}

const LOOKS_AT_ONCE = 32;
/** For all blobs of one query together, where the store may be away. A healthy bucket answers for 2,000 pages within it. */
const AWAY_AFTER_MS = 3_000;
/** A rollback checks the store several times: the next checks do not wait again. */
const STAYS_AWAY_MS = 10_000;

/**
 * The store as everyone but the collection sees it: a blob that is being deleted, or was found to be damaged, is gone, and
 * comes back when it is put.
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
    // Asked before the store: a deletion that ends in between has taken both, the mark and the blob.
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

  /** The blobs that the store is known not to have: it is asked until it fails once, or until the time for all of them is up. */
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
    // Waits for deletions that have begun; those that have not do not happen.
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
    async sizeOf(integrity) {
      return (await markedAmong(db, [integrity])).size > 0 ? null : store.sizeOf(integrity);
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
