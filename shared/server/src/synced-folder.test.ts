import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { sql } from 'kysely';
import { openDatabase, type Database } from './open-database.ts';
import { fillDataFolder } from './testing/memory-database.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'synced-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
  await rm(root, { recursive: true });
});

const insert = (database: Database, id: number) =>
  sql`insert into public.kept values (${id})`.execute(database.schema('public'));

/** Keeps in `after` what survives a power failure: the last synced contents of each file. */
function rememberWhatIsSynced(folder: string, after: string): string[] {
  const { fsyncSync } = fs;
  const synced: string[] = [];
  jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    const name = relative(folder, path);
    synced.push(name);
    if (name.startsWith('..')) return;
    if (fs.statSync(path).isDirectory()) fs.mkdirSync(join(after, name), { recursive: true });
    else {
      fs.mkdirSync(dirname(join(after, name)), { recursive: true });
      fs.copyFileSync(path, join(after, name));
    }
  });
  syncBuiltinESMExports();
  return synced;
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('after a power cut every acknowledged write of the embedded database is there', async () => {
  const dataDir = join(root, 'data');
  await fillDataFolder(dataDir);
  const first = await openDatabase({ dataDir });
  await sql`create table public.kept (id integer)`.execute(first.schema('public'));
  await first.close();

  const after = join(root, 'after');
  await cp(dataDir, after, { recursive: true });
  const synced = rememberWhatIsSynced(dataDir, after);
  const database = await openDatabase({ dataDir });
  for (let id = 1; id <= 20; id += 1) await insert(database, id);
  expect(synced.filter((name) => name.startsWith('cluster/pg_wal/')).length).toBeGreaterThanOrEqual(20);
  // In the middle of its work, with data files and log in different states; the next one starts from here.
  await sql`checkpoint`.execute(database.schema('public'));
  for (let id = 21; id <= 25; id += 1) await insert(database, id);
  await cp(after, join(root, 'cut'), { recursive: true });
  await database.close();

  const again = await openDatabase({ dataDir: join(root, 'cut') });
  const { rows } = await sql<{ id: number }>`select id from public.kept order by id`.execute(
    again.schema('public'),
  );
  await again.close();
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
});

onLinux('a new database is on the disk before it has its name', async () => {
  const synced = rememberWhatIsSynced(join(root, 'data'), join(root, 'after'));
  const database = await openDatabase({ dataDir: join(root, 'data') });
  await database.close();
  const beforeRename = synced.filter((name) => /^cluster\.new-\d+\//.test(name));
  expect(beforeRename.some((name) => name.endsWith('/global/pg_control'))).toBe(true);
  expect(beforeRename.some((name) => name.endsWith('/PG_VERSION'))).toBe(true);
  expect(beforeRename.length).toBeGreaterThan(500);
});
