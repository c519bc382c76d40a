import { sql } from 'kysely';
import type { Migration } from '../open-database.ts';
import { borrowDatabase } from './each-database.ts';
import { emptySchema } from './empty-schema.ts';

const migrations: Migration[] = [
  {
    name: '001-books',
    up: async (db) => void (await sql`create table borrowed.books (title text)`.execute(db)),
  },
];

test('a borrowed database is returned empty, and leftovers of an earlier file cannot write to it', async () => {
  const open = async () => {
    const borrowed = await borrowDatabase();
    await emptySchema(borrowed.database, 'borrowed', migrations);
    const books = borrowed.database.schema<{ books: { title: string } }>('borrowed');
    return {
      ...borrowed,
      write: () => books.insertInto('books').values({ title: 'Ulysses' }).execute(),
      read: () => books.selectFrom('books').selectAll().execute(),
    };
  };
  const former = await open();
  await former.write();
  expect(await former.read()).toHaveLength(1);
  await former.stop();

  const next = await open();
  expect(next.url).toBe(former.url);
  await expect(former.write()).rejects.toThrow();
  expect(await next.read()).toEqual([]);
  await next.stop();
});

test('a borrowed database whose tables a test changed is restored for the next file', async () => {
  const former = await borrowDatabase();
  await emptySchema(former.database, 'borrowed', migrations);
  await sql`drop table borrowed.books`.execute(former.database.schema<never>('borrowed'));
  await former.stop();

  const next = await borrowDatabase();
  expect(next.url).toBe(former.url);
  await emptySchema(next.database, 'borrowed', migrations);
  const books = next.database.schema<{ books: { title: string } }>('borrowed');
  expect(await books.selectFrom('books').selectAll().execute()).toEqual([]);
  await next.stop();
});
