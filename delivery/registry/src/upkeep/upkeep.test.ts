import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import * as v from 'valibot';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { CollectionAnswerSchema, VerificationAnswerSchema, type RemoteManifest } from '@site/contract';
import { openDatabase, type Database } from '@site/server/open-database';
import { startDatabase } from '@site/server/testing/each-database';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { forEachTest } from '@site/server/testing/for-each-test';
import { waitFor } from '@site/server/testing/wait-for';
import { markForDeletion, save } from '../kernel/blob.repository.ts';
import { endChangeUnderWay, beginChangeUnderWay } from '../kernel/changes-under-way.repository.ts';
import type { RegistryTables } from '../kernel/tables.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { createProtectedStore, wantBlobs } from '../kernel/blob-protection.ts';
import { collectGarbage, sweep } from './collect-garbage.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';

let registry: Harness;
const code = ({ body }: { body: object }) => (body as { errors?: { code: string }[] }).errors?.[0]?.code;
/** Files have timestamps of the real clock, which are old for this one. */
const farAhead = (more = 0) => {
  registry.clock.now = new Date(Date.now() + 400 * DAY_MS + more);
};
const collect = async (body: object = {}) => {
  const all = { keepReleases: 1, keepDays: 1, ...body };
  return v.parse(
    CollectionAnswerSchema,
    (await registry.send('POST', '/v1/collections', { body: all })).body,
  );
};
const verify = async () =>
  v.parse(
    VerificationAnswerSchema,
    (await registry.send('POST', '/v1/verifications', { as: 'read', body: {} })).body,
  );
const blocksVersion = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });
const listBlobs = ({ entry, assets, server }: RemoteManifest) => [
  server.integrity,
  ...assets.filter(({ path }) => path === entry).map(({ integrity }) => integrity),
];
const allStored = async (manifest: RemoteManifest) =>
  (await Promise.all(listBlobs(manifest).map((integrity) => registry.store.has(integrity)))).every(Boolean);
const noneStored = async (manifest: RemoteManifest) =>
  (await Promise.all(listBlobs(manifest).map((integrity) => registry.store.has(integrity)))).every(
    (has) => !has,
  );

async function goLive(contents: number, more: object = {}): Promise<RemoteManifest> {
  const manifest = blocksVersion(contents);
  await registry.publish(manifest);
  const { status } = await registry.activate({ 'mfe-blocks': manifest.version }, more);
  expect(status).toBe(201);
  return manifest;
}

async function putOrphan(): Promise<string> {
  const bytes = randomBytes(100);
  await registry.send('PUT', `/v1/blobs/${integrityHex(computeIntegrity(bytes))}`, { body: bytes });
  return computeIntegrity(bytes);
}

/** Every blob that production's live release needs exists. */
async function expectLiveIsWhole(): Promise<void> {
  const { body } = await registry.send('GET', '/v1/channels/production');
  const document = await registry.send<{
    manifests: Record<string, RemoteManifest>;
    rendered: Record<string, Record<string, string>>;
  }>('GET', `/v1/releases/${body.release.id}/document`);
  const pages = Object.values(document.body.rendered).flatMap((variants) => Object.values(variants));
  expect(Object.keys(document.body.rendered).sort()).toEqual(['/blocks', '/blocks/auth', '/partners']);
  const files = Object.values(document.body.manifests).flatMap(({ assets, server }) => [...assets, server]);
  for (const integrity of [...pages, ...files.map((file) => file.integrity)]) {
    expect(await registry.store.get(integrity)).not.toBeNull();
  }
}

async function makeRegistry(database: Database): Promise<Harness> {
  return (registry = await createHarness(database));
}

describe('collecting', () => {
  let url: string | undefined;
  forEachTest(makeRegistry, async () => {
    const started = await startDatabase();
    ({ url } = started);
    return started;
  });

  test('deletes only old versions and pages that are not needed', async () => {
    await registry.startSite();
    const versions = [];
    for (const contents of [2, 3, 4, 5, 6]) versions.push(await goLive(contents));
    const orphan = await putOrphan();
    farAhead();
    const answer = await collect();
    // 6 is live; 5, 4 and 3 are rollback targets.
    expect(answer.versions.map(({ version }) => version)).toEqual([
      blocksVersion(1).version,
      blocksVersion(2).version,
    ]);
    expect(answer.deleted.blobs).toBeGreaterThan(4);
    expect(await registry.store.has(orphan)).toBe(false);
    expect(await noneStored(blocksVersion(1))).toBe(true);
    expect(await noneStored(blocksVersion(2))).toBe(true);
    const pages = await registryTables(registry)
      .selectFrom('rendered_pages')
      .select('app_version')
      .where('app', '=', 'mfe-blocks')
      .distinct()
      .execute();
    expect(pages.map((page) => page.app_version).sort()).toEqual(
      [3, 4, 5, 6].map((contents) => blocksVersion(contents).version),
    );
    for (const contents of [3, 4, 5, 6]) expect(await allStored(blocksVersion(contents))).toBe(true);
    await expectLiveIsWhole();
    expect((await verify()).artifacts).toMatchObject({ missing: [], damaged: [] });
    expect((await registry.rollBack({ app: 'mfe-blocks' })).body.release.apps['mfe-blocks']).toBe(
      blocksVersion(5).version,
    );
    await expectLiveIsWhole();
    // Open tabs still show what was rolled back recently.
    farAhead(23 * HOUR_MS);
    expect(await collect()).toMatchObject({ versions: [] });
    farAhead(25 * HOUR_MS);
    expect((await collect()).versions.map(({ version }) => version)).toEqual([blocksVersion(6).version]);
  });

  test('keeps the version of a retired app, which a rollback would restore', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5, 6]) await goLive(contents);
    const retired = { app: 'mfe-blocks', to: '/partners', reason: 'a test' };
    const { status } = await registry.send('POST', '/v1/channels/production/retirements', { body: retired });
    expect(status).toBe(201);
    // Without the retirement, the proven ones would be the rollback targets.
    await sql`
      insert into registry.version_standings (channel, app, version, views, evidence, at)
      select channel, app, version, 1000, '{}', now() from registry.live_versions
      where app = 'mfe-blocks' and version <> ${blocksVersion(6).version}
    `.execute(registryTables(registry));
    farAhead();
    expect((await collect()).versions.map(({ version }) => version)).not.toContain(blocksVersion(6).version);
    expect(await allStored(blocksVersion(6))).toBe(true);
    const back = await registry.rollBack({ app: 'mfe-blocks' });
    expect([back.status, back.body]).toMatchObject([
      201,
      { release: { apps: { 'mfe-blocks': blocksVersion(6).version } } },
    ]);
    await expectLiveIsWhole();
  });

  test('a collected version is not activated until it is published again', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5]) await goLive(contents);
    farAhead();
    await collect();
    const first = blocksVersion(1);
    const refused = [
      await registry.activate({ 'mfe-blocks': first.version }),
      await registry.rollBack({ app: 'mfe-blocks', to: first.version }),
      await registry.send('POST', '/v1/previews', { body: { app: 'mfe-blocks', version: first.version } }),
    ];
    expect(refused.map((answer) => [answer.status, code(answer)])).toEqual(
      refused.map(() => [410, 'version_collected']),
    );
    const newest = async () => {
      const listed = await registry.send<{ apps: { newest: string }[] }>('GET', '/v1/apps');
      return listed.body.apps[0]?.newest;
    };
    expect(await newest()).toBe(blocksVersion(5).version);
    expect(code(await registry.send('POST', '/v1/versions', { body: first }))).toBe('blob_missing');
    const again = await registry.publish(first);
    expect([again.status, again.body.created]).toEqual([201, true]);
    expect(await newest()).toBe(first.version);
    expect((await registry.activate({ 'mfe-blocks': first.version })).status).toBe(201);
    await expectLiveIsWhole();
  });

  test('keeps a republished version, even if it was the newest already', async () => {
    await registry.startSite();
    const published = blocksVersion(5);
    await registry.publish(published);
    farAhead();
    expect((await registry.publish(published, { as: 'blocks' })).status).toBe(200);
    const [newest] = await registryTables(registry)
      .selectFrom('audit_events')
      .select(['by', 'action', 'details'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .execute();
    expect(newest).toMatchObject({ by: 'ci-blocks', action: 'version.published', details: { again: true } });
    expect((await collect()).versions).not.toContainEqual(
      expect.objectContaining({ version: published.version }),
    );
    expect((await registry.activate({ 'mfe-blocks': published.version })).status).toBe(201);
  });

  test('a dry run reports the same and deletes nothing', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5]) await goLive(contents);
    const orphan = await putOrphan();
    farAhead();
    const told = await collect({ dryRun: true });
    expect(await registry.store.has(orphan)).toBe(true);
    expect(await allStored(blocksVersion(1))).toBe(true);
    const { dryRun, ...same } = told;
    expect(dryRun).toBe(true);
    expect(await collect()).toEqual(same);
  });

  test('keeps the requested number of newest releases, and recent ones', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5, 6]) await goLive(contents);
    farAhead();
    expect((await collect({ keepReleases: 6 })).versions).toEqual([]);
    expect((await collect({ keepReleases: 5 })).versions).toEqual([]);
    expect((await collect({ keepReleases: 4 })).versions).toEqual([
      { app: 'mfe-blocks', version: blocksVersion(1).version },
    ]);
    expect((await collect({ keepReleases: 1, keepDays: 10_000 })).versions).toEqual([]);
    expect((await collect()).versions).toHaveLength(1);
  });

  test('keeps a canary, a preview and recently published versions until they expire', async () => {
    await registry.startSite();
    const canary = await goLive(2, { share: 10 });
    const previewed = blocksVersion(3);
    const old = blocksVersion(4);
    for (const manifest of [previewed, old]) await registry.publish(manifest);
    farAhead();
    const young = blocksVersion(5);
    await registry.publish(young);
    await registry.send('POST', '/v1/previews', {
      body: { app: 'mfe-blocks', version: previewed.version, expiresInMinutes: 60 * 24 * 3 },
    });
    expect((await collect()).versions).toEqual([{ app: 'mfe-blocks', version: old.version }]);
    for (const manifest of [canary, previewed, young]) expect(await allStored(manifest)).toBe(true);

    farAhead(4 * DAY_MS);
    const gone = (await collect()).versions.map(({ version }) => version);
    expect(gone).toEqual([previewed.version, young.version]);
    expect(await allStored(canary)).toBe(true);
    await expectLiveIsWhole();
  });

  test('does not keep a version for a preview that was ended early', async () => {
    await registry.startSite();
    const previewed = blocksVersion(2);
    await registry.publish(previewed);
    farAhead();
    const made = await registry.send<{ id: string }>('POST', '/v1/previews', {
      body: { app: 'mfe-blocks', version: previewed.version, expiresInMinutes: 60 },
    });
    expect((await collect()).versions).toEqual([]);
    const ended = await registry.send('POST', `/v1/previews/${made.body.id}/revocations`, {
      body: { reason: 'a test' },
    });
    expect(ended.status).toBe(200);
    expect((await collect()).versions).toEqual([{ app: 'mfe-blocks', version: previewed.version }]);
  });

  test('does not list a collected version as the newest of its app if there is another', async () => {
    await registry.startSite();
    const newest = blocksVersion(2);
    await registry.publish(newest);
    const listed = async () => {
      const { body } = await registry.send<{ apps: { newest: string }[] }>('GET', '/v1/apps');
      return body.apps[0]?.newest;
    };
    expect(await listed()).toBe(newest.version);
    farAhead();
    await collect();
    expect(await listed()).toBe(blocksVersion(1).version);
  });

  test('a republished version keeps its publisher and time if only collected versions are newer', async () => {
    await registry.startSite();
    const { version } = blocksVersion(1);
    const collected = blocksVersion(2);
    await registry.publish(collected);
    await registryTables(registry)
      .updateTable('versions')
      .set({ collected_at: registry.clock.now })
      .where('version', '=', collected.version)
      .execute();
    const published = () =>
      registryTables(registry)
        .selectFrom('versions')
        .select(['published_by', 'published_at', 'sequence'])
        .where('app', '=', 'mfe-blocks')
        .where('version', '=', version)
        .execute();
    const before = await published();
    expect(before).toMatchObject([{ published_by: 'olivia' }]);
    const again = await registry.publish(blocksVersion(1), { as: 'blocks' });
    expect([again.status, again.body.created]).toEqual([200, false]);
    expect(await published()).toEqual(before);
  });

  test('keeps a blob that was put within a day', async () => {
    await registry.startSite();
    const orphan = await putOrphan();
    registry.clock.now = new Date(Date.now() + 23 * HOUR_MS);
    expect((await collect()).deleted.blobs).toBe(0);
    registry.clock.now = new Date(Date.now() + 50 * HOUR_MS);
    expect((await collect()).deleted.blobs).toBe(1);
    expect(await registry.store.has(orphan)).toBe(false);
  });

  test('keeps an old blob that a client need not upload', async () => {
    await registry.startSite();
    const orphan = await putOrphan();
    farAhead();
    const asked = await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [orphan] } });
    expect(asked.body.missing).toEqual([]);
    expect((await collect()).deleted.blobs).toBe(0);
    farAhead(2 * DAY_MS);
    expect((await collect()).deleted.blobs).toBe(1);
  });

  test('does not start during a publish or an activation', async () => {
    await registry.startSite();
    const { composer } = registry;
    const db = registryTables(registry);
    const now = () => registry.clock.now;
    const context = { db, now, store: createProtectedStore(registry.store, { db, now }) };
    const outcomes: unknown[] = [];
    composer.meanwhile = async () => {
      outcomes.push(
        await collectGarbage(
          {
            context,
            actor: { tokenId: 'x', name: 'x', scopes: ['ops'] },
            key: null,
            requestDigest: '',
            dryRun: false,
          },
          { keepReleases: 1, keepDays: 0 },
          { patienceMs: 0 },
        ).catch((error: unknown) => (error as { code?: string }).code),
      );
    };
    const next = blocksVersion(2);
    await registry.publish(next);
    await registry.publish(blocksVersion(3), { query: '?live-checks=defer' });
    await registry.activate({ 'mfe-blocks': blocksVersion(3).version });
    expect(outcomes.length).toBeGreaterThan(1);
    expect(new Set(outcomes)).toEqual(new Set(['registry_busy']));
    composer.meanwhile = () => Promise.resolve();
    // Both have ended.
    expect(await collect()).toMatchObject({ versions: [] });
  });

  /** Pauses a collection between its reads without locks and its first step under them. */
  async function collectAround(between: () => Promise<unknown>, atOnce: number) {
    const db = registryTables(registry);
    const expiresAt = new Date(registry.clock.now.getTime() + HOUR_MS);
    await beginChangeUnderWay(db, { id: 'x', what: 'a test', expiresAt });
    const looks = { count: 0 };
    const now = () => {
      looks.count += 1;
      return registry.clock.now;
    };
    const actor = { tokenId: 'x', name: 'x', scopes: ['ops' as const] };
    const context = { db, now, store: createProtectedStore(registry.store, { db, now }) };
    const collecting = collectGarbage(
      { context, actor, key: null, requestDigest: '', dryRun: false },
      { keepReleases: 1, keepDays: 1 },
      { atOnce: { versions: atOnce, pages: atOnce, files: atOnce } },
    );
    collecting.catch(() => undefined);
    // It has read everything once it polls for the running change.
    await waitFor(() => looks.count > 12);
    await between();
    await endChangeUnderWay(db, 'x');
    return (await collecting).body;
  }

  test('reads no manifest again while it holds the locks', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5, 6]) await goLive(contents);
    farAhead();
    const db = registryTables(registry);
    const manifests = () => db.selectFrom('versions').select(['app', 'version', 'manifest']).execute();
    const kept = await manifests();
    // Reading one of these would fail.
    const destroy = () => sql`update registry.versions set manifest = '{}'`.execute(db);
    const { versions } = await collectAround(destroy, 500);
    for (const { app, version, manifest } of kept) {
      await sql`update registry.versions set manifest = ${JSON.stringify(manifest)}::jsonb
        where app = ${app} and version = ${version}`.execute(db);
    }
    expect(versions.map(({ version }) => version)).toEqual([1, 2].map((n) => blocksVersion(n).version));
    await expectLiveIsWhole();
  });

  test('marks versions and files in batches, and keeps those that became needed in the meantime', async () => {
    await registry.startSite();
    for (const contents of [2, 3, 4, 5, 6, 7, 8]) await goLive(contents);
    const orphans = [await putOrphan(), await putOrphan()];
    farAhead();
    const previewed = blocksVersion(2);
    const { versions } = await collectAround(async () => {
      const body = { app: 'mfe-blocks', version: previewed.version };
      expect((await registry.send('POST', '/v1/previews', { body })).status).toBe(201);
    }, 1);
    const names = [1, 3, 4].map((contents) => blocksVersion(contents).version);
    expect(versions.map(({ version }) => version)).toEqual(names);
    expect(await allStored(previewed)).toBe(true);
    for (const contents of [1, 3, 4]) expect(await noneStored(blocksVersion(contents))).toBe(true);
    for (const orphan of orphans) expect(await registry.store.has(orphan)).toBe(false);
    await expectLiveIsWhole();
    const entries = await registryTables(registry)
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'store.collected')
      .orderBy('sequence')
      .execute();
    expect(entries.flatMap(({ details }) => (details as { versions: string[] }).versions)).toEqual(
      names.map((version) => `mfe-blocks@${version}`),
    );
    for (const { details } of entries) {
      const { blobs, versions: marked } = details as { blobs: number; versions: string[] };
      expect([blobs <= 1, marked.length <= 1]).toEqual([true, true]);
    }
  });

  test('ignores a change that a killed registry left open', async () => {
    await registry.startSite();
    await registryTables(registry)
      .insertInto('changes_under_way')
      .values({
        id: 'x',
        what: 'POST /v1/versions',
        expires_at: new Date(registry.clock.now.getTime() + HOUR_MS),
      })
      .execute();
    await putOrphan();
    farAhead();
    expect((await collect()).deleted.blobs).toBe(1);
  });

  test('if aborted, marked blobs are missing for everyone until they are put again or deleted by the next one', async () => {
    await registry.startSite();
    const [kept, lost] = [await putOrphan(), await putOrphan()];
    const bytes = (await registry.store.get(kept)) as Buffer;
    farAhead();
    const realDelete = registry.store.delete;
    registry.store.delete = () => Promise.reject(new Error('killed'));
    const broken = await registry.send('POST', '/v1/collections', { body: { keepDays: 1 } });
    expect(broken.status).toBe(500);
    registry.store.delete = realDelete;

    const asked = await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [kept] } });
    expect(asked.body.missing).toEqual([kept]);
    expect((await registry.send('PUT', `/v1/blobs/${integrityHex(kept)}`, { body: bytes })).status).toBe(201);
    const again = await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [kept] } });
    expect(again.body.missing).toEqual([]);
    await collect();
    expect([await registry.store.has(kept), await registry.store.has(lost)]).toEqual([true, false]);
    expect(await registryTables(registry).selectFrom('doomed_blobs').select('integrity').execute()).toEqual(
      [],
    );
  });

  test('keeps a file that is uploaded again between marking and deletion', async () => {
    const orphan = await putOrphan();
    const db = registryTables(registry);
    await db.transaction().execute((collection) => markForDeletion(collection, [orphan], registry.clock.now));
    const { sweeping } = await db.transaction().execute(async (upload) => {
      await save(upload, [orphan]);
      const waits = sweep({ db, store: createProtectedStore(registry.store, { db, now: () => new Date() }) });
      waits.catch(() => undefined);
      await waitFor(() => isAnyoneWaiting(db));
      return { sweeping: waits };
    });
    await sweeping;
    expect(await registry.store.has(orphan)).toBe(true);
  });

  test('if aborted during deletion, continues when retried with the same key', async () => {
    await registry.startSite();
    const bytes = Buffer.from('unused');
    const lost = computeIntegrity(bytes);
    await registry.send('PUT', `/v1/blobs/${integrityHex(lost)}`, { body: bytes });
    farAhead();
    const ask = () =>
      registry.send('POST', '/v1/collections', {
        body: { keepDays: 1 },
        headers: { 'idempotency-key': 'tonight' },
      });
    const realDelete = registry.store.delete;
    registry.store.delete = () => Promise.reject(new Error('killed'));
    expect((await ask()).status).toBe(500);
    registry.store.delete = realDelete;
    expect((await ask()).status).toBe(200);
    expect(await registry.store.has(lost)).toBe(false);
  });

  test('is rejected while the registry has no versions, because it may be waiting for a restore', async () => {
    const orphan = await putOrphan();
    farAhead();
    for (const dryRun of [true, false]) {
      const answer = await registry.send('POST', '/v1/collections', { body: { dryRun } });
      expect([answer.status, code(answer)]).toEqual([409, 'registry_empty']);
    }
    expect(await registry.store.has(orphan)).toBe(true);
    const marked = await registryTables(registry).selectFrom('doomed_blobs').select('integrity').execute();
    expect(marked).toEqual([]);
  });

  test('holds its mark on a blob for as long as the store takes to delete it', async () => {
    const impatientUrl = `${url}?idle_in_transaction_session_timeout=100`;
    const impatient = await openDatabase({ url: impatientUrl, onWarning: () => undefined });
    const orphan = await putOrphan();
    const marks = registryTables(registry);
    await marks
      .insertInto('doomed_blobs')
      .values({ integrity: orphan, doomed_at: registry.clock.now })
      .execute();
    const slow = {
      ...registry.store,
      // Long after PostgreSQL would have ended an idle transaction.
      delete: () => sql`select pg_sleep(1)`.execute(marks).then(() => registry.store.delete(orphan)),
    };
    const db = impatient.schema<RegistryTables>('registry');
    const now = () => registry.clock.now;
    try {
      await sweep({ db, store: createProtectedStore(slow, { db, now }) });
    } finally {
      await impatient.close();
    }
    expect(await marks.selectFrom('doomed_blobs').select('integrity').execute()).toEqual([]);
  });

  test('concurrent queries for the same blobs in different order do not deadlock', async () => {
    const db = registryTables(registry);
    const now = () => registry.clock.now;
    const [first, second] = [await putOrphan(), await putOrphan()].sort() as [string, string];
    const want = (integrity: string, transaction: Transaction<RegistryTables>) =>
      transaction
        .updateTable('wanted_blobs')
        .set({ wanted_at: now() })
        .where('integrity', '=', integrity)
        .execute();
    const { asking } = await db.transaction().execute(async (transaction) => {
      await want(first, transaction);
      const waits = wantBlobs({ db, now }, [second, first]);
      waits.catch(() => undefined);
      await waitFor(() => isAnyoneWaiting(db));
      await want(second, transaction);
      return { asking: waits };
    });
    await asking;
  });

  test('blobs that are put together lose their marks together', async () => {
    const db = registryTables(registry);
    const now = () => registry.clock.now;
    const store = createProtectedStore(registry.store, { db, now });
    const blobs = [randomBytes(100), randomBytes(100), randomBytes(100)];
    const integrities = blobs.map(computeIntegrity);
    await db.transaction().execute((collection) => markForDeletion(collection, integrities, now()));
    await store.markDamaged(integrities);
    const put = store.createBulkPut();
    await Promise.all(blobs.map((bytes) => put(computeIntegrity(bytes), bytes)));
    expect(await store.missing(integrities)).toEqual(new Set());
    await expect(put(integrities[0] as string, randomBytes(100))).rejects.toThrow(
      /were changed or truncated/,
    );
  });

  test('is for ops, and rejects invalid numbers', async () => {
    for (const as of ['blocks', 'activator', 'read'] as const) {
      expect((await registry.send('POST', '/v1/collections', { as, body: {} })).status).toBe(403);
    }
    for (const body of [{ keepReleases: 0 }, { keepDays: -1 }, { keepDays: 0.5 }, { keep: 3 }]) {
      const answer = await registry.send('POST', '/v1/collections', { body });
      expect([answer.status, code(answer)]).toEqual([422, 'body_invalid']);
    }
  });
});

describe('verifying', () => {
  forEachTest(makeRegistry);

  test('reports no problems for an intact registry', async () => {
    await registry.startSite();
    await goLive(2);
    const { artifacts, audit } = await verify();
    expect(artifacts).toMatchObject({ missing: [], damaged: [] });
    expect(artifacts.checked).toBeGreaterThan(10);
    expect(audit).toMatchObject({ ok: true, problem: null });
    expect(audit.entries).toBeGreaterThan(4);
  });

  test('lists what is missing or damaged, and its references', async () => {
    const { blocks, partners } = await registry.startSite();
    const get = registry.store.get;
    const getEncoded = registry.store.getEncoded;
    const chunk = partners.assets[1]?.integrity ?? '';
    const entry = partners.assets[0]?.integrity ?? '';
    await registry.store.delete(blocks.server.integrity);
    registry.store.get = async (integrity) => (integrity === chunk ? Buffer.from('damaged') : get(integrity));
    registry.store.getEncoded = async (integrity, encoding) =>
      integrity === entry ? Buffer.from('no gzip') : getEncoded(integrity, encoding);
    const { artifacts } = await verify();
    expect(artifacts.missing).toEqual([
      { integrity: blocks.server.integrity, usedBy: [`mfe-blocks@${blocks.version}: server.js`] },
    ]);
    expect(artifacts.damaged).toEqual([
      { integrity: chunk, what: 'contents', usedBy: [`mfe-partners@${partners.version}: chunk.js`] },
      { integrity: entry, what: 'copies', usedBy: [`mfe-partners@${partners.version}: remoteEntry.1.js`] },
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['changed', `update registry.audit_events set by = 'nobody' where sequence = 2`, /Entry 2/],
    ['removed', `delete from registry.audit_events where sequence = 2`, /Entry 2 is missing/],
    ['cut off', `delete from registry.audit_events where sequence > 2`, /after 2 are missing/],
    [
      'moved in time',
      `update registry.audit_events set at = at + interval '1 day' where sequence = 1`,
      /Entry 1/,
    ],
  ])('detects that an entry of the audit log was %s', async (_what, statement, problem) => {
    await registry.startSite();
    await sql`alter table registry.audit_events disable trigger append_only`.execute(
      registryTables(registry),
    );
    await sql.raw(statement).execute(registryTables(registry));
    const { audit } = await verify();
    expect(audit.ok).toBe(false);
    expect(audit.problem).toMatch(problem);
  });
});

describe('the audit log', () => {
  forEachTest(makeRegistry);

  test('is read newest first, in pages', async () => {
    await registry.startSite();
    const read = async (query: string) =>
      (
        await registry.send<{ events: { sequence: number; action: string; by: string }[] }>(
          'GET',
          `/v1/audit${query}`,
          { as: 'read' },
        )
      ).body.events;
    const all = await read('');
    expect(all.map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1]);
    expect(all[0]).toMatchObject({ action: 'release.activate', by: 'olivia' });
    expect((await read('?limit=2')).map(({ sequence }) => sequence)).toEqual([5, 4]);
    expect((await read('?limit=2&before=3')).map(({ sequence }) => sequence)).toEqual([2, 1]);
    for (const query of ['?limit=0', '?limit=501', '?limit=x', '?before=0', '?before=1e3']) {
      const answer = await registry.send('GET', `/v1/audit${query}`, { as: 'read' });
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });
});
