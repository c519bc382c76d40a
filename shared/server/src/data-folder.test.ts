import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, truncate, writeFile, readFile, chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { openDataFolder } from './data-folder.ts';
import { openDatabase } from './open-database.ts';
import { fillDataFolder } from './testing/memory-database.ts';
import { nextEvent } from './testing/wait-for.ts';

let root: string;
let template: string;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'site-data-'));
  template = join(root, 'deep', 'template');
  const database = await openDatabase({ dataDir: template });
  await sql`create table public.kept as select 1 as id`.execute(database.schema('public'));
  await database.close();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

/** A copy of a folder whose database has one row. */
async function filledFolder(name: string): Promise<string> {
  const dataDir = join(root, name);
  await cp(template, dataDir, { recursive: true });
  return dataDir;
}

const rowsIn = async (dataDir: string): Promise<unknown> => {
  const database = await openDatabase({ dataDir });
  try {
    return (await sql`select id from public.kept`.execute(database.schema('public'))).rows;
  } finally {
    await database.close();
  }
};

/** Opens the folder in a child process, which prints a line for each acknowledged insert. */
function openElsewhere(dataDir: string) {
  const script = `
    import { openDatabase } from '@site/server/open-database';
    import { sql } from 'kysely';
    const database = await openDatabase({ dataDir: process.argv[1] });
    const db = database.schema('public');
    await sql\`create table if not exists public.kept (id integer)\`.execute(db);
    for (let id = 1; ; id++) {
      await sql\`insert into public.kept values (\${id})\`.execute(db);
      // Until the line is written: the inserts never yield, and data beyond the reader's buffer would wait forever.
      await new Promise((written) => process.stdout.write(id + '\\n', written));
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    cwd: join(process.cwd(), 'shared/server'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  let acknowledged = 0;
  const lines = createInterface(child.stdout);
  const busy = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      acknowledged = Number(line);
      if (acknowledged === 200) resolve();
    });
  });
  const killed = async () => {
    const over = Promise.all([nextEvent(child, 'exit'), nextEvent(lines, 'close')]);
    child.kill('SIGKILL');
    await over;
    return acknowledged;
  };
  return { pid: child.pid, busy, killed };
}

test('creates a missing folder, and finds its rows after reopening', async () => {
  expect(await rowsIn(await filledFolder('again'))).toEqual([{ id: 1 }]);
});

test('rejects a folder that this process already uses, and names it', async () => {
  const dataDir = await filledFolder('twice');
  const database = await openDatabase({ dataDir });
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    code: 'folder_in_use',
    message: expect.stringContaining(`"${dataDir}" is in use by this process`) as unknown,
  });
  await database.close();
});

test('rejects a folder used by another process; after kill -9 takes it over with every acknowledged row', async () => {
  const dataDir = join(root, 'killed');
  await fillDataFolder(dataDir);
  const other = openElsewhere(dataDir);
  await other.busy;
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    code: 'folder_in_use',
    message: expect.stringContaining(`is in use by process ${other.pid}`) as unknown,
  });
  const acknowledged = await other.killed();
  const rows = (await rowsIn(dataDir)) as { id: number }[];
  expect(acknowledged).toBeGreaterThanOrEqual(200);
  expect(rows.slice(0, acknowledged).map((row) => row.id)).toEqual(
    Array.from({ length: acknowledged }, (_, index) => index + 1),
  );
});

test('takes over the lock of a process id that now belongs to another program', async () => {
  const dataDir = await filledFolder('reused-id');
  await writeFile(join(dataDir, 'process.lock'), JSON.stringify({ pid: process.ppid, started: '1' }));
  expect(await rowsIn(dataDir)).toEqual([{ id: 1 }]);
});

test.each<[string, (cluster: string) => Promise<unknown>]>([
  ['without PG_VERSION', (cluster) => rm(join(cluster, 'PG_VERSION'))],
  ['of another version', (cluster) => writeFile(join(cluster, 'PG_VERSION'), '12\n')],
  ['with an empty pg_control', (cluster) => truncate(join(cluster, 'global/pg_control'), 0)],
  [
    'with a broken pg_control',
    (cluster) => writeFile(join(cluster, 'global/pg_control'), Buffer.alloc(8192, 7)),
  ],
  ['without its tables', (cluster) => rm(join(cluster, 'base'), { recursive: true })],
])('leaves a database %s unchanged, and explains what to do', async (title, damage) => {
  const dataDir = await filledFolder(title.replaceAll(' ', '-'));
  await damage(join(dataDir, 'cluster'));
  const before = await contents(dataDir);
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    code: 'folder_corrupt',
    message: expect.stringMatching(
      /^The data folder ".*" holds no usable database: .* Restore the folder from a backup/,
    ) as unknown,
  });
  expect(await contents(dataDir)).toEqual(before);
});

test('reports a full disk if the database cannot start because of it', async () => {
  const dataDir = await filledFolder('full');
  await truncate(join(dataDir, 'cluster/global/pg_control'), 0);
  await expect(openDataFolder(dataDir, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    code: 'folder_full',
    message: expect.stringContaining(
      `"${dataDir}" does not start: the disk is full. Free at least 64 MB`,
    ) as unknown,
  });
});

test('reports a path that is not a folder or not accessible, with the remedy', async () => {
  const file = join(root, 'file');
  await writeFile(file, 'precious');
  await expect(openDatabase({ dataDir: file })).rejects.toMatchObject({
    code: 'folder_unreadable',
    message: expect.stringContaining(`"${file}" cannot be used`) as unknown,
  });
  expect(await readFile(file, 'utf8')).toBe('precious');
});

// root may read everything, so this cannot be tested as root.
(process.getuid?.() === 0 ? test.skip : test)('says that a folder may not be read', async () => {
  const folder = join(root, 'locked');
  await mkdir(folder);
  await chmod(folder, 0o000);
  await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({ code: 'folder_unreadable' });
});

async function contents(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  // PostgreSQL rewrites this cache at each start.
  return names.filter((name) => !name.endsWith('pg_internal.init')).sort();
}
