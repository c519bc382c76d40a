import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { overPglite } from './open-pglite.ts';
import { openSynced } from './synced-folder.ts';
import { fillDataFolder } from './testing/memory-database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-panic-'));
  await fillDataFolder(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('after a panic the database gets no more queries: they fail with its error, and it can be closed', async () => {
  const pglite = await openSynced(join(folder, 'cluster'));
  const answer = pglite.execProtocolStream.bind(pglite);
  const panic = Object.assign(new Error('No space left on device'), { severity: 'PANIC', code: '53100' });
  let isFull = false;
  let asked = 0;
  pglite.execProtocolStream = (message, options) => {
    asked++;
    return isFull ? Promise.reject(panic) : answer(message, options);
  };
  const steps: string[] = [];
  const database = overPglite(pglite, () => {
    steps.push('released');
    return Promise.resolve();
  });
  const db = database.schema('public');
  const ask = () => sql`select 1`.execute(db);
  await ask();

  const insert = db.transaction().execute(async (transaction) => {
    isFull = true;
    await sql`select 1`.execute(transaction);
  });
  await expect(insert).rejects.toMatchObject({ code: '53100' });
  isFull = false;
  const before = asked;
  await expect(ask()).rejects.toMatchObject({ code: '53100' });
  await expect(db.transaction().execute(ask)).rejects.toMatchObject({ code: '53100' });
  await expect(database.ping()).rejects.toMatchObject({ code: '53100' });
  await database.close();
  expect({ asked, steps }).toEqual({ asked: before, steps: ['released'] });
  await pglite.close().catch(() => undefined);
});
