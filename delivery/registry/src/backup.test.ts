import { createHash } from 'node:crypto';
import { pack } from 'tar-stream';
import { sql } from 'kysely';
import { hexOf } from '@site/artifacts/integrity';
import { integrityOf } from '@site/contract/integrity-of';
import type { PreviewMade, RemoteManifest } from '@site/contract';
import type { Cell } from '@site/contract/signals/sums.schema';
import { databases, type TestDatabase } from '@site/server/testing/each-database';
import { tablesInOrder } from './database/table-dump.ts';
import { cellOf, networks, testEdge } from './testing/signals.ts';
import { createHarness, tablesOf, type Harness } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';

// A backup is of one kind of database as well as of the other.
const kinds = [...databases].reverse();
let started: TestDatabase[];
let source: Harness;
let target: Harness;
beforeAll(async () => {
  started = await Promise.all(kinds.map(({ start }) => start()));
});
afterAll(() => Promise.all(started.map(({ stop }) => stop())));
beforeEach(async () => {
  source = await createHarness((started[0] as TestDatabase).database);
  target = await createHarness((started[1] as TestDatabase).database);
});
afterEach(async () => {
  await source.stop();
  await target.stop();
});

const code = ({ body }: { body: object }) => (body as { errors?: { code: string }[] }).errors?.[0]?.code;
const detail = ({ body }: { body: object }) =>
  (body as { errors?: { detail: string }[] }).errors?.[0]?.detail;

async function takeBackup(registry: Harness = source): Promise<Buffer> {
  const response = await registry.app.inject({
    url: '/v1/backup',
    headers: { authorization: `Bearer ${registry.tokens.ops}` },
  });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-tar']);
  return response.rawPayload;
}

const restore = (archive: Buffer, query: string = '', as: 'ops' | 'read' = 'ops') =>
  target.send('POST', `/v1/restore${query}`, {
    as,
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });

async function rowsOf(registry: Harness): Promise<Record<string, string[]>> {
  const db = tablesOf(registry);
  const tables: Record<string, string[]> = {};
  for (const { name } of await tablesInOrder(db)) {
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(t)::text as row from registry.${sql.id(name)} t`.execute(db);
    tables[name] = rows.map(({ row }) => row).sort();
  }
  return tables;
}

const isEmpty = async () => {
  const { versions, releases, audit_events } = await rowsOf(target);
  return [versions, releases, audit_events].every((rows) => rows?.length === 0);
};

/** Some visitors, for as long as it takes to know whether a version is good. */
async function visitors(...cells: Cell[]): Promise<void> {
  await source.look();
  const edge = testEdge(source);
  for (let batch = 0; batch < 20; batch++) await edge.tell(cells);
  await source.look();
}

/** A registry with something in every table. */
async function fill(): Promise<{ next: RemoteManifest; secret: string; previewHash: string }> {
  const { blocks } = await source.startSite();
  const ofGood = cellOf({ app: 'mfe-blocks', version: blocks.version, views: 200 });
  await visitors(ofGood);
  await source.send('POST', '/v1/channels/production/guard', { body: { mode: 'suggest', reason: 'a fair' } });
  const text = Buffer.from('/* text that is worth compressing */\n'.repeat(100));
  const file = { path: 'page.abc.css', size: text.length, integrity: integrityOf(text) };
  await source.send('PUT', `/v1/blobs/${hexOf(file.integrity)}`, { body: text });
  const bad = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  const manifest = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
  const next = { ...manifest, assets: [...manifest.assets, file] };
  for (const version of [bad, next]) await source.publish(version);
  await source.activate({ 'mfe-blocks': bad.version }, {}, { headers: { 'idempotency-key': 'one' } });
  await source.rollBack({ app: 'mfe-blocks' });
  const stages = { shares: [50, 100], everyMinutes: 10 };
  await source.activate({ 'mfe-blocks': next.version }, { share: 12.5, stages });
  await visitors(ofGood, {
    ...ofGood,
    version: next.version,
    role: 'canary',
    faults: 150,
    networks: networks(50),
  });
  await source.send('POST', '/v1/channels/production/freezes', {
    body: { app: 'mfe-partners', reason: 'a fair' },
  });
  const made = await source.send<{ id: string; token: string }>('POST', '/v1/tokens', {
    body: { name: 'ci cases', scopes: ['publish:mfe-cases'] },
  });
  const preview = await source.send<PreviewMade>('POST', '/v1/previews', {
    body: { app: 'mfe-blocks', version: next.version },
  });
  const linkId = new URL(String(preview.body.url)).searchParams.get('id') ?? '';
  return { next, secret: made.body.token, previewHash: createHash('sha256').update(linkId).digest('hex') };
}

test('a backup is of the moment when its tables were read, however long its files take', async () => {
  await fill();
  const { get } = source.store;
  source.store.get = (integrity) => {
    source.clock.now = new Date('2026-01-01T15:00:00.000Z');
    return get(integrity);
  };
  expect((await restore(await takeBackup())).body).toMatchObject({ takenAt: '2026-01-01T12:00:00.000Z' });
});

test('a restored registry holds every row and every blob, and goes on from there', async () => {
  const { next, secret, previewHash } = await fill();
  const before = await rowsOf(source);
  for (const [table, rows] of Object.entries(before)) expect([table, rows.length]).not.toEqual([table, 0]);

  const answer = await restore(await takeBackup());
  expect(answer.body).toMatchObject({ takenAt: '2026-01-01T12:00:00.000Z', lacking: [] });
  const after = await rowsOf(target);
  const { audit_events: events = [], ...same } = after;
  const { audit_events: oldEvents = [], ...old } = before;
  // The one entry that the restore itself adds moves the end of the log; the numbers of releases go on further ahead.
  const moved = { audit_head: [], release_head: [] };
  expect({ ...same, ...moved }).toEqual({ ...old, ...moved });
  expect(events.filter((row) => !oldEvents.includes(row))).toEqual([
    expect.stringContaining('registry.restored'),
  ]);

  const { body: check } = await target.send<{ artifacts: object; audit: object }>(
    'POST',
    '/v1/verifications',
    { body: {} },
  );
  expect(check.artifacts).toMatchObject({ missing: [], damaged: [] });
  expect(check.audit).toMatchObject({ ok: true });
  // The restore's own entry in the log makes what followers are told a newer state.
  const state = async (registry: Harness) => ({
    ...(await registry.send<object>('GET', '/v1/channels/production')).body,
    revision: null,
  });
  expect(await state(target)).toEqual(await state(source));
  const styles = next.assets.at(-1)?.integrity ?? '';
  expect(await target.store.getEncoded(styles, 'br')).toEqual(await source.store.getEncoded(styles, 'br'));
  expect(await target.store.getEncoded(styles, 'br')).not.toBeNull();
  expect(await target.store.getEncoded(next.server.integrity, 'br')).toBeNull();

  const withSecret = { headers: { authorization: `Bearer ${secret}` } };
  expect((await target.send('GET', '/v1/apps', withSecret)).status).toBe(200);
  expect((await target.send('GET', `/v1/previews/${previewHash}`, { as: 'edge' })).status).toBe(200);
  const rendered = target.composer.requests.length;
  const newest = Math.max(
    ...(before['releases'] ?? []).map((row) => (JSON.parse(row) as { number: number }).number),
  );
  const promoted = await target.send('POST', '/v1/channels/production/promotions', {
    body: { reason: 'good' },
  });
  // Edges may hold releases that were made after the backup: their numbers are not given out again.
  expect([promoted.status, promoted.body.release.id]).toEqual([201, `r${newest + 100_001}`]);
  expect(target.composer.requests).toHaveLength(rendered);
});

test('history is append-only in a restored registry too', async () => {
  await fill();
  await restore(await takeBackup());
  const change = sql`update registry.releases set reason = 'other'`.execute(tablesOf(target));
  await expect(change).rejects.toThrow(/append-only/);
});

test('the tokens that the new registry was started with stay valid, also when they were revoked in the old one', async () => {
  await source.startSite();
  const db = tablesOf(source);
  await db
    .updateTable('tokens')
    .set({ revoked_at: source.clock.now })
    .where('name', 'in', ['olivia', 'reader'])
    .execute();
  await db.updateTable('tokens').set({ revoked_at: null }).where('name', '=', 'olivia').execute();
  await restore(await takeBackup());
  expect((await source.send('GET', '/v1/apps', { as: 'read' })).status).toBe(401);
  expect((await target.send('GET', '/v1/apps', { as: 'read' })).status).toBe(200);
});

test('a dry run checks everything and restores nothing; the restore then works', async () => {
  await fill();
  const archive = await takeBackup();
  expect((await restore(archive, '?dry-run=true')).body).toMatchObject({ dryRun: true, lacking: [] });
  expect(await isEmpty()).toBe(true);
  for await (const blob of target.store.list()) expect(blob).toBeUndefined();
  expect((await restore(archive)).status).toBe(200);
});

test('what the store had lost already is told, and restored without', async () => {
  const { next } = await fill();
  await source.store.delete(next.server.integrity);
  const { body } = await restore(await takeBackup());
  expect(body).toMatchObject({ lacking: [next.server.integrity] });
});

test('only a registry that never had anything can be restored into', async () => {
  await fill();
  const archive = await takeBackup();
  await target.publish(remoteManifest('mfe-cases'));
  const answer = await restore(archive);
  expect([answer.status, code(answer)]).toEqual([409, 'registry_not_empty']);
  const again = await source.send('POST', '/v1/restore', {
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });
  expect(code(again)).toBe('registry_not_empty');
});

test('is for ops', async () => {
  expect((await source.send('GET', '/v1/backup', { as: 'read' })).status).toBe(403);
  expect((await restore(Buffer.alloc(1024), '', 'read')).status).toBe(403);
  const json = await target.send('POST', '/v1/restore', { body: {} });
  expect([json.status, code(json)]).toEqual([415, 'media_type_unsupported']);
});

test('taken while releases are made, it is of one moment', async () => {
  const { blocks } = await source.startSite();
  const ofGood = cellOf({ app: 'mfe-blocks', version: blocks.version, views: 200 });
  await visitors(ofGood);
  await source.send('POST', '/v1/channels/production/guard', { body: { mode: 'suggest', reason: 'a fair' } });
  const versions = [2, 3].map((contents) =>
    remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents }),
  );
  for (const version of versions) await source.publish(version);
  const progress = { isTaken: false };
  let made = 0;
  const changing = (async () => {
    while (!progress.isTaken) {
      const { version } = [blocks, ...versions][made % 3] as RemoteManifest;
      await source.activate({ 'mfe-blocks': version });
      made += 1;
    }
  })();
  while (made < 3) await new Promise(setImmediate);
  const archives = [await takeBackup(), await takeBackup(), await takeBackup()];
  progress.isTaken = true;
  await changing;
  for (const archive of archives) {
    const answer = await restore(archive, '?dry-run=true');
    expect([answer.status, detail(answer)]).toEqual([200, undefined]);
  }
});

describe('an archive that is not whole is refused, and nothing is restored', () => {
  let archive: Buffer;
  const nothingRestored = async (bad: Buffer, problem: RegExp) => {
    const answer = await restore(bad);
    expect([answer.status, code(answer)]).toEqual([422, 'backup_invalid']);
    expect(detail(answer)).toMatch(problem);
    expect(await isEmpty()).toBe(true);
  };
  /** Replaces text in the rows by text of the same length: the archive's own structure stays right. */
  const replaced = (from: string, to: string) => {
    expect(from).toHaveLength(to.length);
    const copy = Buffer.from(archive);
    const place = copy.lastIndexOf(from);
    expect(place).toBeGreaterThan(0);
    copy.write(to, place);
    return copy;
  };
  const archiveOf = async (
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
    source = await createHarness((started[0] as TestDatabase).database);
    await fill();
    archive = await takeBackup();
    await source.stop();
  });

  test('because it was cut off, wherever that was; the whole one works afterwards', async () => {
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
    expect((await restore(archive)).status).toBe(200);
  });

  test('because a file in it was changed', async () => {
    await nothingRestored(
      replaced('/* mfe-blocks server 3 */', '/* mfe-blocks server 4 */'),
      /file in it was changed/,
    );
  });

  test('because its history was changed', async () => {
    await nothingRestored(
      replaced('"action": "release.rollback"', '"action": "release.activate"'),
      /audit log/,
    );
  });

  test('because rows are missing or do not fit together', async () => {
    const [rows = ''] = /"rows":\d+/.exec(archive.toString('latin1')) ?? [];
    const other = `${rows.slice(0, -1)}${rows.endsWith('1') ? '2' : '1'}`;
    await nothingRestored(replaced(rows, other), /rows instead of/);
    await nothingRestored(replaced('"table":"release_apps"', '"table":"release_appz"'), /release_appz/);
    await nothingRestored(replaced('"table":"channels"', '"table":"pg_class"'), /pg_class/);
  });

  test('because it is something else', async () => {
    await nothingRestored(Buffer.from('hello'), /not a tar|truncated/);
    await nothingRestored(Buffer.alloc(100_000, 'x'), /not a tar/);
    const file = { name: 'registry.ndjson', bytes: Buffer.from('{"backup":1}\n') };
    await nothingRestored(await archiveOf([file]), /Line 1/);
    await nothingRestored(await archiveOf([file, file]), /last entry/);
  });

  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    'artifacts/../../x',
    `artifacts/${'A'.repeat(96)}`,
    `artifacts/${'a'.repeat(95)}`,
    `artifacts/${'a'.repeat(96)}/x`,
    'registry.ndjson/x',
  ])('because of an entry named %s', async (name) => {
    await nothingRestored(
      await archiveOf([{ name, bytes: Buffer.from('x') }]),
      /which no backup has|not a tar/,
    );
  });

  test('because of a link in it', async () => {
    const name = `artifacts/${'a'.repeat(96)}`;
    await nothingRestored(
      await archiveOf([{ name, type: 'symlink', linkname: '/etc/passwd' }]),
      /which no backup has/,
    );
  });

  test('because a row has a value that its column cannot hold', async () => {
    await nothingRestored(
      replaced('"table":"tokens","row":{"id":', '"table":"tokens","row":{"di":'),
      /do not fit/,
    );
  });
});
