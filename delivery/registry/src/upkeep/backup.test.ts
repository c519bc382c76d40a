import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sql } from 'kysely';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import type { AuditAnswer, ChannelAnswer, RemoteManifest } from '@site/contract';
import { EXCHANGE_GRANT, EXCHANGE_PATH, ID_TOKEN_TYPE } from '@site/contract/registry-calls/trust.calls';
import { databases, type TestDatabase } from '@site/server/testing/each-database';
import { takeBackup as streamBackup } from './take-backup.ts';
import {
  archiveOfBlobs,
  countVisitors,
  fillRegistry,
  isEmpty,
  restoreInto,
  readRows,
  takeBackup,
} from '../testing/backups.ts';
import { makeCell } from '../testing/signals.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

// Backups are portable between both kinds of database.
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

test('a backup is a snapshot of the tables, however long its files take', async () => {
  await fillRegistry(source);
  const { get } = source.store;
  source.store.get = (integrity) => {
    source.clock.now = new Date('2026-01-01T15:00:00.000Z');
    return get(integrity);
  };
  expect((await restoreInto(target, await takeBackup(source))).body).toMatchObject({
    takenAt: '2026-01-01T12:00:00.000Z',
  });
});

test('a stalled client does not block garbage collection', async () => {
  await source.startSite();
  // Above what the connection buffers.
  const bytes = randomBytes(1_000_000);
  const picture = { path: 'large.abc.png', size: bytes.length, integrity: computeIntegrity(bytes) };
  await source.send('PUT', `/v1/blobs/${integrityHex(picture.integrity)}`, { body: bytes });
  const version = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await source.publish({ ...version, assets: [...version.assets, picture] });

  const problems: unknown[] = [];
  const context = { db: registryTables(source), store: source.store, now: () => source.clock.now };
  const backup = await streamBackup(context, (problem) => problems.push(problem), { patienceMs: 50 });
  backup.read(0);
  await nextEvent(backup, 'readable');
  expect(await source.send('POST', '/v1/collections', { body: {} })).toMatchObject({
    status: 200,
    body: { versions: [] },
  });
  expect(problems).toEqual([new Error('Its client read nothing for 0.05 s.')]);
  await expect(backup.toArray()).rejects.toThrow('Its client read nothing');
});

test('a full temporary folder is reported, does not block garbage collection, and does not crash the process', async () => {
  await fillRegistry(source);
  const { createWriteStream } = fs;
  // This device file fails with ENOSPC.
  fs.createWriteStream = () => createWriteStream('/dev/full');
  syncBuiltinESMExports();
  try {
    const answer = await source.send('GET', '/v1/backup');
    expect([answer.status, code(answer), detail(answer)]).toEqual([
      503,
      'disk_full',
      expect.stringMatching(/^The disk of the temporary folder of the registry \(TMPDIR\) is full\./),
    ]);
  } finally {
    fs.createWriteStream = createWriteStream;
    syncBuiltinESMExports();
  }
  expect((await source.send('POST', '/v1/collections', { body: {} })).status).toBe(200);
});

test('a restored registry has every row and every blob, and continues from there', async () => {
  const { next, secret, previewHash } = await fillRegistry(source);
  const before = await readRows(source);
  for (const [table, rows] of Object.entries(before)) expect([table, rows.length]).not.toEqual([table, 0]);

  const answer = await restoreInto(target, await takeBackup(source));
  expect(answer.body).toMatchObject({ takenAt: '2026-01-01T12:00:00.000Z', lacking: [] });
  const after = await readRows(target);
  const { audit_events: events = [], ...same } = after;
  const { audit_events: oldEvents = [], ...old } = before;
  // The entry added by the restore itself moves the end of the log; release numbers skip ahead.
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
  // The restore's own audit entry and epoch make the state newer for followers.
  const state = async (registry: Harness) => {
    const { body } = await registry.send<ChannelAnswer>('GET', '/v1/channels/production');
    return { ...body, revision: null, state: { ...body.state, log: null } };
  };
  expect((await target.send<ChannelAnswer>('GET', '/v1/channels/production')).body.state.log?.epoch).toBe(1);
  expect(await state(target)).toEqual(await state(source));
  const styles = next.assets.at(-1)?.integrity ?? '';
  // Files are compressed after the response. The gzip copy is stored last.
  await waitFor(() => target.store.getEncoded(styles, 'gzip'), {
    description: 'the gzip copy of the styles',
  });
  expect(await target.store.getEncoded(styles, 'br')).toEqual(await source.store.getEncoded(styles, 'br'));
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
  // Edges may have releases made after the backup, so their numbers are not reused.
  expect([promoted.status, promoted.body.release.id]).toEqual([201, `r${newest + 100_001}`]);
  expect(target.composer.requests).toHaveLength(rendered);
});

test('a restore stores files in parallel, and does not wait for their compression', async () => {
  await fillRegistry(source);
  const archive = await takeBackup(source);
  const { put, compress } = target.store;
  const puts = { underWay: 0, most: 0 };
  // Each put waits for another one: sequential puts would hang.
  let second = () => {};
  const two = new Promise<void>((resolve) => (second = resolve));
  target.store.put = async (...blob) => {
    puts.underWay += 1;
    puts.most = Math.max(puts.most, puts.underWay);
    if (puts.underWay > 1) second();
    await two;
    await put(...blob);
    puts.underWay -= 1;
  };
  // A restore that waited for compression would hang.
  let answered = () => {};
  const answer = new Promise<void>((resolve) => (answered = resolve));
  let isCompressed = () => {};
  const compression = new Promise<void>((resolve) => (isCompressed = resolve));
  target.store.compress = async (integrity) => {
    await answer;
    await compress(integrity);
    isCompressed();
  };
  expect((await restoreInto(target, archive)).status).toBe(200);
  answered();
  expect(puts.underWay).toBe(0);
  expect(puts.most).toBeGreaterThan(1);
  expect(puts.most).toBeLessThanOrEqual(48);
  await compression;
});

test('the files of a restore share transactions', async () => {
  const blobs = Array.from({ length: 40 }, () => randomBytes(100));
  expect(code(await restoreInto(target, await archiveOfBlobs(blobs)))).toBe('backup_invalid');
  for (const blob of blobs) expect(await target.store.get(computeIntegrity(blob))).toEqual(blob);
  const { rows } = await sql<{ blobs: number; transactions: number }>`
    select count(*)::integer as blobs, count(distinct xmin::text)::integer as transactions
    from registry.wanted_blobs`.execute(registryTables(target));
  expect(rows[0]?.blobs).toBe(40);
  expect(rows[0]?.transactions).toBeLessThan(40);
});

test('rejected token exchanges, before a restore and during its upload, leave the new registry empty', async () => {
  await source.startSite();
  const archive = await takeBackup(source);
  const exchange = async () => {
    const payload = new URLSearchParams({
      grant_type: EXCHANGE_GRANT,
      subject_token: 'no.id.token',
      subject_token_type: ID_TOKEN_TYPE,
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode } = await target.app.inject({
      method: 'POST',
      url: EXCHANGE_PATH,
      headers,
      payload: payload.toString(),
    });
    return statusCode;
  };
  expect(await exchange()).toBe(401);
  const { put } = target.store;
  let exchangesDuring = 0;
  target.store.put = async (...blob) => {
    expect(await exchange()).toBe(401);
    exchangesDuring += 1;
    return put(...blob);
  };
  expect((await restoreInto(target, archive)).status).toBe(200);
  expect(exchangesDuring).toBeGreaterThan(0);
  // From here on, rejections are audited.
  expect(await exchange()).toBe(401);
  const { body } = await target.send<AuditAnswer>('GET', '/v1/audit?limit=1');
  expect(body.events[0]).toMatchObject({ action: 'token.exchange-refused' });
});

test('history is also append-only in a restored registry', async () => {
  await fillRegistry(source);
  await restoreInto(target, await takeBackup(source));
  const change = sql`update registry.releases set reason = 'other'`.execute(registryTables(target));
  await expect(change).rejects.toThrow(/append-only/);
});

test('the configured tokens of the new registry stay valid, even if they were revoked in the old one', async () => {
  await source.startSite();
  const db = registryTables(source);
  await db
    .updateTable('tokens')
    .set({ revoked_at: source.clock.now })
    .where('name', 'in', ['olivia', 'reader'])
    .execute();
  await db.updateTable('tokens').set({ revoked_at: null }).where('name', '=', 'olivia').execute();
  await restoreInto(target, await takeBackup(source));
  expect((await source.send('GET', '/v1/apps', { as: 'read' })).status).toBe(401);
  expect((await target.send('GET', '/v1/apps', { as: 'read' })).status).toBe(200);
});

test('a restore reports the tokens, trusts, previews, freezes and quarantines that are active again', async () => {
  const { secret } = await fillRegistry(source);
  const archive = await takeBackup(source);
  const leaked = { headers: { authorization: `Bearer ${secret}` } };
  const { body: list } = await source.send<{ tokens: { id: string; name: string; active: boolean }[] }>(
    'GET',
    '/v1/tokens',
  );
  const id = list.tokens.find(({ name }) => name === 'ci cases')?.id ?? '';
  await source.send('POST', `/v1/tokens/${id}/revocations`, { body: { reason: 'leaked' } });
  expect((await source.send('GET', '/v1/apps', leaked)).status).toBe(401);

  const inForce = {
    tokens: list.tokens.filter(({ active }) => active).length,
    trusts: 1,
    previews: 1,
    freezes: 1,
    quarantines: 1,
  };
  expect((await restoreInto(target, archive, '?dry-run=true')).body).toMatchObject({ inForce });
  expect((await restoreInto(target, archive)).body).toMatchObject({ inForce });
  expect((await target.send('GET', '/v1/apps', leaked)).status).toBe(200);
  const { body: audit } = await target.send<{ events: object[] }>('GET', '/v1/audit?limit=1');
  expect(audit.events).toMatchObject([{ action: 'registry.restored', details: { inForce } }]);
});

test('an id token that was exchanged before a backup cannot be exchanged after the restore', async () => {
  await fillRegistry(source);
  await restoreInto(target, await takeBackup(source));
  const used = (registry: Harness) =>
    registryTables(registry).selectFrom('used_id_tokens').selectAll().execute();
  expect(await used(source)).toHaveLength(1);
  expect(await used(target)).toEqual(await used(source));
});

test('a dry run checks everything and restores nothing; the restore then works', async () => {
  await fillRegistry(source);
  const archive = await takeBackup(source);
  expect((await restoreInto(target, archive, '?dry-run=true')).body).toMatchObject({
    dryRun: true,
    lacking: [],
  });
  expect(await isEmpty(target)).toBe(true);
  for await (const blob of target.store.list()) expect(blob).toBeUndefined();
  expect((await restoreInto(target, archive)).status).toBe(200);
});

test('files that the store had already lost are reported, and the rest is restored', async () => {
  const { next } = await fillRegistry(source);
  await source.store.delete(next.server.integrity);
  const { body } = await restoreInto(target, await takeBackup(source));
  expect(body).toMatchObject({ lacking: [next.server.integrity] });
});

test('only an unused registry can be restored into', async () => {
  await fillRegistry(source);
  const archive = await takeBackup(source);
  await target.publish(remoteManifest('mfe-cases'));
  const answer = await restoreInto(target, archive);
  expect([answer.status, code(answer)]).toEqual([409, 'registry_not_empty']);
  const again = await source.send('POST', '/v1/restore', {
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });
  expect(code(again)).toBe('registry_not_empty');
});

test('is for ops', async () => {
  expect((await source.send('GET', '/v1/backup', { as: 'read' })).status).toBe(403);
  expect((await restoreInto(target, Buffer.alloc(1024), '', 'read')).status).toBe(403);
  const json = await target.send('POST', '/v1/restore', { body: {} });
  expect([json.status, code(json)]).toEqual([415, 'media_type_unsupported']);
});

test('a backup during releases is consistent', async () => {
  const { blocks } = await source.startSite();
  const ofGood = makeCell({ app: 'mfe-blocks', version: blocks.version, views: 200 });
  await countVisitors(source, ofGood);
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
  await waitFor(() => expect(made).toBeGreaterThanOrEqual(3));
  const archives = [await takeBackup(source), await takeBackup(source), await takeBackup(source)];
  progress.isTaken = true;
  await changing;
  for (const archive of archives) {
    const answer = await restoreInto(target, archive, '?dry-run=true');
    expect([answer.status, detail(answer)]).toEqual([200, undefined]);
  }
});
