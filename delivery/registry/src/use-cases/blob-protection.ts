import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { inParallel } from '@site/server/in-parallel';
import { rowsOf } from '../database/rows-of.ts';
import type { RegistryTables } from '../database/tables.ts';
import type { ProtectedStore, RegistryContext } from './context.ts';

/**
 * Keeps garbage collection and everyone else apart; `docs/decisions/0087-garbage-collection.md` explains how. In short:
 * the collection decides in one short transaction, at a moment when no change is under way, what nobody needs. What it
 * has marked then is gone for everyone who comes later, until they upload it again, which removes the mark.
 */
type Context = Pick<RegistryContext, 'db' | 'now'>;

/** Longer than any change takes: only the registry's own death leaves a change open. */
const CHANGE_LASTS_MS = 15 * 60_000;

/** The two keys of the advisory lock: ours, and this one's. */
const LOCK = sql`5174602, 1`;

/** A piece of work that relies on blobs it finds in the store, until it has recorded that it needs them. */
export interface ChangeUnderWay {
  /** For work that takes longer than a change does: says that it is still going on. */
  goesOn(): Promise<void>;
  end(): Promise<void>;
}

export async function beginChange({ db, now }: Context, what: string): Promise<ChangeUnderWay> {
  const id = randomUUID();
  const expiry = () => new Date(now().getTime() + CHANGE_LASTS_MS);
  await db.transaction().execute(async (transaction) => {
    await waitForCollection(transaction);
    await transaction.insertInto('changes_under_way').values({ id, what, expires_at: expiry() }).execute();
  });
  return {
    async goesOn() {
      await db.updateTable('changes_under_way').set({ expires_at: expiry() }).where('id', '=', id).execute();
    },
    async end() {
      await db.deleteFrom('changes_under_way').where('id', '=', id).execute();
    },
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

/** Held by a collection while it decides: nobody begins a change then. */
export async function lockOutChanges(transaction: Transaction<RegistryTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
}

async function waitForCollection(transaction: Transaction<RegistryTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(transaction);
}

/** Whoever asks which blobs are missing will not upload the others: from now on they must stay. */
export async function wantBlobs({ db, now }: Context, integrities: readonly string[]): Promise<void> {
  if (integrities.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    await waitForCollection(transaction);
    // In one order for everyone: two who ask for the same blobs must not wait for each other.
    await sql`
      insert into registry.wanted_blobs (integrity, wanted_at)
      select value, ${now()} from ${rowsOf([...new Set(integrities)])} order by value
      on conflict (integrity) do update set wanted_at = excluded.wanted_at`.execute(transaction);
  });
}

const LOOKS_AT_ONCE = 32;

/**
 * The store as everyone but the collection sees it: a blob that is being deleted, or was found to be damaged, is gone, and
 * comes back when it is put.
 */
export function createProtectedStore(store: ArtifactStore, context: Context): ProtectedStore {
  const { db, now } = context;

  // Asked before the store: a deletion that ends in between has taken both, the mark and the blob.
  async function goneAmong(integrities: readonly string[]): Promise<Set<string>> {
    const marked = (table: 'doomed_blobs' | 'damaged_blobs') =>
      db
        .selectFrom(table)
        .select('integrity')
        .where(sql<boolean>`integrity in (select value from ${rowsOf(integrities)})`);
    const rows = await marked('doomed_blobs').union(marked('damaged_blobs')).execute();
    return new Set(rows.map(({ integrity }) => integrity));
  }

  async function missing(
    integrities: Iterable<string>,
    { mayBeAway = false }: { mayBeAway?: boolean } = {},
  ): Promise<Set<string>> {
    const asked = [...new Set(integrities)];
    if (asked.length === 0) return new Set();
    const gone = await goneAmong(asked);
    await inParallel(LOOKS_AT_ONCE, asked, async (integrity) => {
      if (gone.has(integrity)) return;
      const isStored = await store.has(integrity).catch((error: unknown) => {
        if (mayBeAway) return true;
        throw error;
      });
      if (!isStored) gone.add(integrity);
    });
    return gone;
  }

  return {
    missing,
    async markDamaged(integrities) {
      if (integrities.length === 0) return;
      await sql`
        insert into registry.damaged_blobs (integrity, found_at)
        select value, ${now()} from ${rowsOf([...new Set(integrities)])} order by value
        on conflict do nothing`.execute(db);
    },
    async has(integrity) {
      return (await missing([integrity])).size === 0;
    },
    async sizeOf(integrity) {
      return (await goneAmong([integrity])).size > 0 ? null : store.sizeOf(integrity);
    },
    async put(integrity, bytes) {
      await wantBlobs(context, [integrity]);
      // Waits for a deletion that has begun; one that has not does not happen.
      await db.deleteFrom('doomed_blobs').where('integrity', '=', integrity).execute();
      await store.put(integrity, bytes);
      await db.deleteFrom('damaged_blobs').where('integrity', '=', integrity).execute();
    },
    compress: (integrity) => store.compress(integrity),
    get: (integrity) => store.get(integrity),
    getEncoded: (integrity, encoding) => store.getEncoded(integrity, encoding),
    list: () => store.list(),
    delete: (integrity) => store.delete(integrity),
  };
}
