import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { RegistryTables } from './tables.ts';
import { createProtectedStore } from './blob-protection.ts';

const blobs = Array.from({ length: 500 }, (_, index) => `sha384-${index}`);

/** A database without marks that counts its queries, and a store that responds asynchronously. */
function setUp(has: (integrity: string) => boolean | Error | Promise<boolean>) {
  const queries: string[] = [];
  const db = new Kysely<RegistryTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void queries.push(query.sql),
  });
  const looks = { underWay: 0, most: 0, all: 0 };
  const store = {
    async has(integrity) {
      looks.all += 1;
      looks.underWay += 1;
      looks.most = Math.max(looks.most, looks.underWay);
      await new Promise(setImmediate);
      looks.underWay -= 1;
      const answer = await has(integrity);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } satisfies Partial<ArtifactStore> as unknown as ArtifactStore;
  return {
    store: createProtectedStore(store, { db, now: () => new Date(0) }, { awayAfterMs: 20 }),
    queries,
    looks,
  };
}

test('many blobs are one query, with limited concurrent store requests', async () => {
  const { store, queries, looks } = setUp((integrity) => integrity !== 'sha384-7');
  expect(await store.missing([...blobs, ...blobs])).toEqual(new Set(['sha384-7']));
  expect(queries).toHaveLength(1);
  expect(looks).toEqual({ underWay: 0, most: 32, all: 500 });
});

test('no blobs cause no query', async () => {
  const { store, queries } = setUp(() => true);
  expect(await store.missing([])).toEqual(new Set());
  expect(queries).toEqual([]);
});

test('a store that does not respond is an error, unless it may be down', async () => {
  const away = new Error('The store is away.');
  const { store } = setUp((integrity) => (integrity === 'sha384-1' ? false : away));
  await expect(store.missing(blobs)).rejects.toBe(away);
  expect(await store.missing(blobs, { mayBeAway: true })).toEqual(new Set(['sha384-1']));
});

test('a store that may be down is queried until its first failure or the total timeout, and then not for a while', async () => {
  for (const has of [() => new Promise<boolean>(() => undefined), () => new Error('The store is away.')]) {
    const { store, looks } = setUp(has);
    expect(await store.missing(blobs, { mayBeAway: true })).toEqual(new Set());
    expect(looks.all).toBe(32);
    expect(await store.missing(blobs, { mayBeAway: true })).toEqual(new Set());
    expect(looks.all).toBe(32);
  }
});
