import { sql, type Kysely } from 'kysely';
import type { Migration } from '../open-database.ts';
import { databases, type TestDatabase } from './each-database.ts';
import { clearSchemas, emptySchema } from './empty-schema.ts';

const migrations: Migration[] = [
  {
    name: '001-books',
    async up(db) {
      await sql`create table library.shelves (
        number integer generated always as identity primary key,
        label jsonb,
        characters integer generated always as (length(label::text)) stored
      )`.execute(db);
      await sql`insert into library.shelves (label) values ('{"it''s": "the first"}')`.execute(db);
      await sql`create table library.books (id serial primary key, shelf integer references library.shelves)`.execute(
        db,
      );
      await sql`create function library.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'kept for good'; end $$`.execute(db);
      await sql`create trigger kept before delete or truncate on library.books
        for each statement execute function library.refuse()`.execute(db);
    },
  },
];

describe.each(databases)('an emptied schema on $name', ({ start }) => {
  let shared: TestDatabase;
  let db: Kysely<Record<string, Record<string, unknown>>>;
  beforeAll(async () => {
    shared = await start();
    db = shared.database.schema('library');
  });
  afterAll(() => shared.stop());
  beforeEach(() => emptySchema(shared.database, 'library', migrations));

  const put = async () => {
    await sql`insert into library.shelves (label) values ('2')`.execute(db);
    await sql`insert into library.books (shelf) values (2)`.execute(db);
  };
  const everything = async () => ({
    shelves: await db.selectFrom('shelves').selectAll().execute(),
    books: await db.selectFrom('books').selectAll().execute(),
    migrations: await db.selectFrom('migrations').select('name').execute(),
  });
  const begun = {
    shelves: [{ number: 1, label: { "it's": 'the first' }, characters: 21 }],
    books: [],
    migrations: [{ name: '001-books' }],
  };

  test('has the rows of its migrations and nothing else, even if rows may not be deleted', async () => {
    await put();
    await expect(sql`delete from library.books`.execute(db)).rejects.toThrow('kept for good');
    await emptySchema(shared.database, 'library', migrations);
    expect(await everything()).toEqual(begun);
    await expect(sql`delete from library.books`.execute(db)).rejects.toThrow('kept for good');
  });

  test('resets its sequences', async () => {
    await put();
    await emptySchema(shared.database, 'library', migrations);
    await put();
    const { shelves, books } = await everything();
    expect(shelves.map(({ number }) => number)).toEqual([1, 2]);
    expect(books).toEqual([{ id: 1, shelf: 2 }]);
  });

  test.each([
    ['a column more', sql`alter table library.books add column title text`],
    ['a trigger switched off', sql`alter table library.books disable trigger kept`],
    ['a constraint less', sql`alter table library.books drop constraint books_shelf_fkey`],
    ['a table less', sql`drop table library.books`],
    ['nothing left', sql`drop schema library cascade`],
  ])('is restored after a test that left it with %s', async (_, change) => {
    await put();
    await change.execute(db);
    await emptySchema(shared.database, 'library', migrations);
    await put();
    expect((await everything()).books).toEqual([{ id: 1, shelf: 2 }]);
    await expect(sql`delete from library.books`.execute(db)).rejects.toThrow('kept for good');
    await expect(sql`insert into library.books (shelf) values (9)`.execute(db)).rejects.toThrow('violates');
  });

  test('is passed to the next file in its migrated state, with new rows in insertion order', async () => {
    for (let number = 0; number < 100; number++) await put();
    await clearSchemas(shared.database);
    expect((await everything()).books).toEqual([]);
    await emptySchema(shared.database, 'library', migrations);
    await put();
    const { rows } = await sql<{ place: string }>`select ctid::text as place from library.books`.execute(db);
    expect(rows).toEqual([{ place: '(0,1)' }]);
  });
});
