import { readdir, readlink } from 'node:fs/promises';
import { pack } from 'tar-stream';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { fillRegistry, isEmpty, restoreInto, takeBackup } from '../testing/backups.ts';
import { createHarness, type Harness } from '../testing/harness.ts';

/** An incomplete archive is rejected, and nothing is restored. */

let started: TestDatabase;
let target: Harness;
let archive: Buffer;

const nothingRestored = async (bad: Buffer, problem: RegExp) => {
  const { status, body } = await restoreInto(target, bad);
  expect([status, body.errors[0]?.code]).toEqual([422, 'backup_invalid']);
  expect(body.errors[0]?.detail).toMatch(problem);
  expect(await isEmpty(target)).toBe(true);
};
/** Replaces text in the rows by text of the same length, which keeps the archive valid. */
const replaced = (from: string, to: string) => {
  expect(from).toHaveLength(to.length);
  const copy = Buffer.from(archive);
  const place = copy.lastIndexOf(from);
  expect(place).toBeGreaterThan(0);
  copy.write(to, place);
  return copy;
};
const makeArchive = async (
  entries: { name: string; type?: 'symlink'; linkname?: string; bytes?: Buffer }[],
) => {
  const archived = pack();
  for (const { bytes = Buffer.alloc(0), ...header } of entries)
    archived.entry({ ...header, size: bytes.length }, bytes);
  archived.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archived as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

beforeAll(async () => {
  started = await startDatabase();
  const source = await createHarness(started.database);
  await fillRegistry(source);
  archive = await takeBackup(source);
  await source.stop();
});

afterAll(() => started.stop());
beforeEach(async () => {
  target = await createHarness(started.database);
});
afterEach(() => target.stop());

test('rejects an archive truncated at any point; the complete one is accepted afterwards', async () => {
  const rows = archive.lastIndexOf('registry.ndjson');
  const places = [
    0,
    512,
    1024,
    3000,
    Math.floor(archive.length / 2),
    rows,
    rows + 512,
    rows + 1500,
    archive.length - 3000,
  ];
  for (const place of places) await nothingRestored(archive.subarray(0, place), /truncated|not a tar/);
  expect((await restoreInto(target, archive)).status).toBe(200);
});

test('a rejected archive closes its unread connection; a complete one keeps it open', async () => {
  const connectionAfter = async (sent: Buffer) => {
    const answer = await target.app.inject({
      method: 'POST',
      url: '/v1/restore',
      headers: { authorization: `Bearer ${target.tokens.ops}`, 'content-type': 'application/x-tar' },
      payload: sent,
    });
    return [answer.statusCode, answer.headers.connection];
  };
  expect(await connectionAfter(archive.subarray(0, 3_000))).toEqual([422, 'close']);
  expect(await connectionAfter(archive)).toEqual([200, 'keep-alive']);
});

test('rejects an archive with a modified file', async () => {
  await nothingRestored(
    replaced('/* mfe-blocks server 3 */', '/* mfe-blocks server 4 */'),
    /file in it was changed/,
  );
});

test('rejects an archive with a modified history', async () => {
  await nothingRestored(
    replaced('"action": "release.rollback"', '"action": "release.activate"'),
    /audit log/,
  );
});

test('rejects an archive with missing or inconsistent rows', async () => {
  const [rows = ''] = /"rows":\d+/.exec(archive.toString('latin1')) ?? [];
  const other = `${rows.slice(0, -1)}${rows.endsWith('1') ? '2' : '1'}`;
  await nothingRestored(replaced(rows, other), /rows instead of/);
  await nothingRestored(replaced('"table":"release_apps"', '"table":"release_appz"'), /release_appz/);
  await nothingRestored(replaced('"table":"channels"', '"table":"pg_class"'), /pg_class/);
});

test('rejects a file that is not an archive', async () => {
  await nothingRestored(Buffer.from('hello'), /not a tar|truncated/);
  await nothingRestored(Buffer.alloc(100_000, 'x'), /not a tar/);
  const file = { name: 'registry.ndjson', bytes: Buffer.from('{"backup":1}\n') };
  await nothingRestored(await makeArchive([file]), /Line 1/);
  await nothingRestored(await makeArchive([file, file]), /last entry/);
});

test.each([
  '../../../etc/passwd',
  '/etc/passwd',
  'artifacts/../../x',
  `artifacts/${'A'.repeat(96)}`,
  `artifacts/${'a'.repeat(95)}`,
  `artifacts/${'a'.repeat(96)}/x`,
  'registry.ndjson/x',
])('rejects an archive with an entry named %s', async (name) => {
  await nothingRestored(
    await makeArchive([{ name, bytes: Buffer.from('x') }]),
    /which no backup has|not a tar/,
  );
});

test('rejects an archive with a link', async () => {
  const name = `artifacts/${'a'.repeat(96)}`;
  await nothingRestored(
    await makeArchive([{ name, type: 'symlink', linkname: '/etc/passwd' }]),
    /which no backup has/,
  );
});

test('rejects an archive with an invalid column value', async () => {
  await nothingRestored(
    replaced('"table":"tokens","row":{"id":', '"table":"tokens","row":{"di":'),
    /do not fit/,
  );
});

test('rejects a backup with another database schema, names the migration that differs, and closes the file', async () => {
  const [, step = ''] = /"migrations":\["(\d\d\d-[^"]+)"/.exec(archive.toString('latin1')) ?? [];
  const other = step.replace(/.$/, 'x');
  await nothingRestored(
    replaced(step, other),
    new RegExp(`"${other}" is only in the backup, "${step}" is only in this registry`),
  );
  expect(await openRestores()).toEqual([]);
});

test('closes the file of a backup that is rejected because of a row', async () => {
  const [header = ''] = /\{"backup":1,.*\n/.exec(archive.toString('latin1')) ?? [];
  // Larger than the read buffer.
  const bytes = Buffer.from(`${header}${'not a row\n'.repeat(50_000)}`);
  await nothingRestored(await makeArchive([{ name: 'registry.ndjson', bytes }]), /Line 2/);
  expect(await openRestores()).toEqual([]);
});

/** The open files of this process that belong to a restore. */
async function openRestores(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const files = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return files.filter((file) => file.includes('registry-restore-'));
}
