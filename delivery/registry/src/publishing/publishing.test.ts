import { forEachTest } from '@site/server/testing/for-each-test';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';

import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { manifestBytes, remoteManifest, shellManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const blocks = remoteManifest('mfe-blocks');
const code = ({ body }: { body: { errors: { code: string }[] } }) => body.errors[0]?.code;
const detail = ({ body }: { body: { errors: { detail: string }[] } }) => body.errors[0]?.detail;
const [blob] = manifestBytes(blocks) as [Buffer];
const blobUrl = `/v1/blobs/${integrityHex(computeIntegrity(blob))}`;

/** With a script that is worth compressing: the others have only a few bytes. */
const text = Buffer.from('export const answer = 42;\n'.repeat(100));
const large = {
  ...blocks,
  assets: [{ path: 'large.js', size: text.length, integrity: computeIntegrity(text) }, ...blocks.assets],
};

describe('uploading', () => {
  test('stores a file under its hash, once', async () => {
    expect((await registry.send('PUT', blobUrl, { body: blob })).status).toBe(201);
    expect((await registry.send('PUT', blobUrl, { body: blob })).status).toBe(200);
    expect(await registry.store.get(computeIntegrity(blob))).toEqual(blob);
  });

  test('rejects bytes that do not have the announced hash, and stores nothing', async () => {
    const answer = await registry.send('PUT', blobUrl, { body: Buffer.from('something else') });
    expect([answer.status, code(answer)]).toEqual([422, 'blob_hash_mismatch']);
    expect(await registry.store.has(computeIntegrity(blob))).toBe(false);
  });

  test.each(['..%2F..%2Fetc%2Fpasswd', 'ABC', 'sha384-abc'])(
    'rejects "%s" as the name of a file',
    async (name) => {
      const answer = await registry.send('PUT', `/v1/blobs/${name}`, { body: blob });
      expect([answer.status, code(answer)]).toEqual([422, 'blob_hash_mismatch']);
    },
  );

  test('rejects an oversized file', async () => {
    const answer = await registry.send('PUT', blobUrl, { body: Buffer.alloc(32 * 1024 * 1024 + 1) });
    expect([answer.status, code(answer)]).toEqual([413, 'body_too_large']);
  });

  test('compresses nothing: that happens when a version with the file is published', async () => {
    for (const bytes of [text, ...manifestBytes(blocks)]) {
      await registry.send('PUT', `/v1/blobs/${integrityHex(computeIntegrity(bytes))}`, { body: bytes });
    }
    const [entry] = large.assets;
    const readCopy = (integrity: string) => registry.store.getEncoded(integrity, 'br');
    expect(await readCopy(entry!.integrity)).toBeNull();
    await registry.send('POST', '/v1/versions?dry-run=true', { body: large });
    expect(await readCopy(entry!.integrity)).not.toBeNull();
    expect(await readCopy(large.server.integrity)).toBeNull();
  });

  test('reports the files missing from the store', async () => {
    await registry.send('PUT', blobUrl, { body: blob });
    const other = computeIntegrity(Buffer.from('other'));
    const { body } = await registry.send('POST', '/v1/blobs/missing', {
      body: { integrities: [computeIntegrity(blob), other, other] },
    });
    expect(body.missing).toEqual([other]);
  });
});

describe('publishing', () => {
  test('records a version, and nothing becomes live', async () => {
    const { status, body } = await registry.publish(blocks);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      app: 'mfe-blocks',
      version: blocks.version,
      created: true,
      live: null,
      quarantined: null,
      checked: { rendered: 0 },
      dryRun: false,
    });
    expect((await registry.send('GET', '/v1/channels/production')).body.release).toBeNull();
  });

  test('the same version again, built at another time, is identical', async () => {
    await registry.publish(blocks);
    const again = await registry.publish({ ...blocks, builtAt: '2026-02-02T00:00:00.000Z', commit: null });
    expect([again.status, again.body.created]).toEqual([200, false]);
  });

  test('a republished version is the last published one until the next publish', async () => {
    const next = remoteManifest('mfe-blocks', { contents: 2 });
    for (const manifest of [blocks, next]) await registry.publish(manifest);
    const listed = async () => {
      const { body } = await registry.send<{ versions: { version: string; publishedAt: string }[] }>(
        'GET',
        '/v1/apps/mfe-blocks/versions',
      );
      const { apps } = (await registry.send<{ apps: { newest: string }[] }>('GET', '/v1/apps')).body;
      return { versions: body.versions.map(({ version }) => version), newest: apps[0]?.newest };
    };
    await registry.publish(blocks, { query: '?dry-run=true' });
    const order = { versions: [next.version, blocks.version], newest: next.version };
    expect(await listed()).toEqual(order);

    const again = await registry.publish(blocks, { as: 'blocks' });
    expect([again.status, again.body.created]).toEqual([200, false]);
    expect(await listed()).toEqual({ versions: [blocks.version, next.version], newest: blocks.version });
    const events = () =>
      registryTables(registry)
        .selectFrom('audit_events')
        .select(['by', 'action', 'subject', 'details'])
        .orderBy('sequence')
        .execute();
    expect((await events()).at(-1)).toMatchObject({
      by: 'ci-blocks',
      action: 'version.published',
      subject: `mfe-blocks@${blocks.version}`,
      details: { again: true },
    });

    // Republishing the newest one writes nothing.
    const written = (await events()).length;
    await registry.publish(blocks);
    expect(await events()).toHaveLength(written);
    await registry.publish(next);
    expect(await listed()).toEqual(order);
  });

  test('republishing a version that was rolled back reports it', async () => {
    await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    await registry.rollBack({ app: 'mfe-blocks', reason: 'the form is broken' });
    const { body } = await registry.publish(next);
    expect(body).toMatchObject({ created: false, live: blocks.version });
    expect(body).toHaveProperty('quarantined', {
      reason: 'the form is broken',
      by: 'olivia',
      at: '2026-01-01T12:00:00.000Z',
    });
  });

  test('the same version with other contents is rejected', async () => {
    await registry.publish(blocks);
    const answer = await registry.publish({ ...blocks, requires: {} });
    expect([answer.status, code(answer)]).toEqual([409, 'version_conflict']);
  });

  test('concurrent publishes of one version record it once', async () => {
    const answers = await Promise.all([registry.publish(blocks), registry.publish(blocks)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    const events = await registryTables(registry)
      .selectFrom('audit_events')
      .select('action')
      .where('action', '=', 'version.published')
      .execute();
    expect(events).toHaveLength(1);
  });

  test('a version with missing files is rejected with their names', async () => {
    const answer = await registry.send('POST', '/v1/versions', { body: blocks });
    expect([answer.status, code(answer)]).toEqual([422, 'blob_missing']);
    expect(detail(answer)).toContain('remoteEntry.1.js, chunk.js, server.js');
  });

  test('a version with a wrong file size is rejected', async () => {
    const assets = blocks.assets.map((asset) => ({ ...asset, size: asset.size + 1 }));
    const answer = await registry.publish({ ...blocks, assets });
    expect([answer.status, code(answer)]).toEqual([422, 'blob_size_mismatch']);
  });

  test('a file name that was published with other contents is rejected, and nothing is recorded', async () => {
    await registry.publish(blocks);
    const next = remoteManifest('mfe-blocks', { contents: 2 });
    const assets = next.assets.map((asset) =>
      asset.path === 'chunk.js' ? { ...next.server, path: 'chunk.js' } : asset,
    );
    const answer = await registry.publish({ ...next, assets });
    expect([answer.status, code(answer)]).toEqual([409, 'asset_conflict']);
    expect(detail(answer)).toContain('"chunk.js" of mfe-blocks');
    expect((await registry.send('GET', `/v1/assets/mfe-blocks/${next.entry}`)).status).toBe(404);
  });

  test('a path that a live remote serves is rejected with both names', async () => {
    await registry.startSite();
    const cases = remoteManifest('mfe-cases', { paths: ['/cases', '/partners'] });
    const answer = await registry.publish(cases);
    expect([answer.status, code(answer)]).toEqual([409, 'path_taken']);
    expect(detail(answer)).toMatch(/mfe-cases wants the path "\/partners", which belongs to mfe-partners/);
  });

  test('a range that the live shell does not satisfy is rejected', async () => {
    await registry.startSite();
    const answer = await registry.publish(remoteManifest('mfe-cases', { requires: { react: '^18.0.0' } }));
    expect([answer.status, code(answer)]).toEqual([409, 'range_unmet']);
  });

  test("a shell that no longer provides a live remote's requirement is rejected", async () => {
    await registry.startSite();
    const answer = await registry.publish(shellManifest({ contents: 2, provides: { react: '20.0.0' } }));
    expect([answer.status, code(answer)]).toEqual([409, 'range_unmet']);
    expect(detail(answer)).toContain('mfe-blocks');
  });

  test("a shell that no longer provides a last good remote's requirement is rejected", async () => {
    await registry.startSite();
    const requires = { react: '^19.0.0 || ^20.0.0' };
    const wider = ['mfe-blocks', 'mfe-partners'].map((app) => remoteManifest(app, { contents: 2, requires }));
    for (const manifest of wider) {
      await registry.publish(manifest);
      await registry.activate({ [manifest.app]: manifest.version });
    }
    const shell = shellManifest({ contents: 2, provides: { react: '20.0.0' } });
    expect(code(await registry.publish(shell))).toBe('range_unmet');
    expect((await registry.publish(shell, { query: '?live-checks=defer' })).status).toBe(201);
    const { body } = await registry.activate({ shell: shell.version });
    // Those versions need React 19, which this shell does not provide, so they are no fallbacks any more.
    expect(body.release.lastGood).toEqual({});
  });

  test.each<[string, object]>([
    ['of an unknown schema', { ...blocks, schema: 2 }],
    ['with a file name that leads out of its folder', { ...blocks, entry: '../../../main.js' }],
    ['with an unknown field', { ...blocks, extra: true }],
    ['without pages', { ...blocks, pages: [] }],
    ['that is a list', [blocks]],
  ])('a manifest %s is rejected with the field', async (_what, manifest) => {
    const answer = await registry.send('POST', '/v1/versions', { body: manifest });
    expect([answer.status, code(answer)]).toEqual([422, 'body_invalid']);
    expect(answer.body.errors[0]?.source).toBeDefined();
  });

  test('a contradictory manifest is rejected', async () => {
    const answer = await registry.publish({
      ...blocks,
      entry: 'elsewhere.js',
    });
    expect([answer.status, code(answer)]).toEqual([422, 'manifest_malformed']);
    expect(detail(answer)).toContain('elsewhere.js');
  });

  test("another app's server bundle cannot become a public file by its hash", async () => {
    await registry.publish(blocks);
    const { server } = blocks;
    const thief = remoteManifest('mfe-partners', { contents: 7 });
    const answer = await registry.publish({
      ...thief,
      assets: [...thief.assets, { ...server, path: 'taken.js' }],
    });
    expect([answer.status, code(answer), detail(answer)]).toEqual([
      409,
      'blob_private',
      expect.stringMatching(/^Private files of other apps are among the assets: .*taken\.js/),
    ]);
    // Its own is not private from itself.
    expect((await registry.publish(remoteManifest('mfe-blocks', { contents: 7 }))).status).toBe(201);
  });

  test('a body that is not JSON is rejected as such', async () => {
    const answer = await registry.send('POST', '/v1/versions', {
      body: Buffer.from('{"app":'),
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, code(answer)]).toEqual([400, 'body_not_json']);
  });
});

describe('reading', () => {
  test('any published file is found by app and path', async () => {
    await registry.publish(blocks);
    const { body } = await registry.send('GET', '/v1/assets/mfe-blocks/chunk.js', { as: 'read' });
    expect(body).toEqual({ integrity: blocks.assets[1]?.integrity, size: blocks.assets[1]?.size });
    const answer = await registry.send('GET', '/v1/assets/mfe-blocks/gone.js', { as: 'read' });
    expect([answer.status, code(answer)]).toEqual([404, 'asset_unknown']);
    expect((await registry.send('GET', '/v1/assets/mfe-blocks/server.js')).status).toBe(404);
  });

  test('versions are listed in pages with a cursor for the next one', async () => {
    const published = [1, 2, 3, 4, 5].map((contents) => remoteManifest('mfe-blocks', { contents }));
    for (const manifest of published) await registry.publish(manifest);
    const pages: string[][] = [];
    let query = '?limit=2';
    while (pages.length < 5) {
      const { body } = await registry.send<{ versions: { version: string }[]; next: number | null }>(
        'GET',
        `/v1/apps/mfe-blocks/versions${query}`,
      );
      pages.push(body.versions.map(({ version }) => version));
      if (body.next === null) break;
      query = `?limit=2&before=${body.next}`;
    }
    const [first, second, third, fourth, fifth] = published.map(({ version }) => version);
    expect(pages).toEqual([[fifth, fourth], [third, second], [first]]);
    const tooMany = await registry.send('GET', '/v1/apps/mfe-blocks/versions?limit=201');
    expect([tooMany.status, code(tooMany)]).toEqual([400, 'request_malformed']);
  });

  test('the versions of an app are listed newest first; an unknown app is rejected with the known ones', async () => {
    await registry.publish(blocks);
    await registry.publish(remoteManifest('mfe-blocks', { contents: 2 }));
    const { body } = await registry.send<{ versions: object[] }>('GET', '/v1/apps/mfe-blocks/versions');
    expect(body.versions).toMatchObject([
      { version: '1.0.0-000000000002', publishedBy: 'olivia', quarantined: null },
      { version: '1.0.0-000000000001' },
    ]);
    const answer = await registry.send('GET', '/v1/apps/mfe-block/versions');
    expect([answer.status, code(answer)]).toEqual([404, 'app_unknown']);
    expect(detail(answer)).toContain('mfe-blocks');
  });

  test('the apps are listed with their newest and their live version', async () => {
    const { shell } = await registry.startSite();
    const next = remoteManifest('mfe-blocks', { contents: 2 });
    await registry.publish(next);
    const { body } = await registry.send<{ apps: object[] }>('GET', '/v1/apps');
    expect(body.apps).toMatchObject([
      { app: 'mfe-blocks', newest: next.version, live: blocks.version },
      { app: 'mfe-partners' },
      { app: 'shell', newest: shell.version, live: shell.version },
    ]);
  });

  test('a manifest is returned as it was published', async () => {
    await registry.publish(blocks);
    expect((await registry.send('GET', `/v1/apps/mfe-blocks/versions/${blocks.version}`)).body).toEqual(
      blocks,
    );
  });

  test.each(['r0', 'r99', 'r99999999999', 'x'])('the release "%s" does not exist', async (id) => {
    const answer = await registry.send('GET', `/v1/releases/${id}`);
    expect([answer.status, code(answer)]).toEqual([404, 'release_unknown']);
  });
});

describe('tokens', () => {
  const sendWith = async (authorization: string | undefined) => {
    const response = await registry.app.inject({
      url: '/v1/apps',
      headers: authorization === undefined ? {} : { authorization },
    });
    return {
      status: response.statusCode,
      body: response.json<{ errors: { code: string; detail: string }[] }>(),
    };
  };

  test.each([
    ['none', undefined, 'token_missing'],
    ['another scheme', 'Basic b3BzOm9wcw==', 'token_missing'],
    ['a forged one', `Bearer site_${'A'.repeat(43)}`, 'token_invalid'],
    ['a short one', 'Bearer ops', 'token_invalid'],
    ['one with SQL in it', `Bearer site_'or'1'='1`, 'token_invalid'],
  ])('%s is rejected', async (_what, authorization, expected) => {
    const answer = await sendWith(authorization);
    expect([answer.status, code(answer)]).toEqual([401, expected]);
  });

  test('expired and revoked ones are rejected, and no message repeats the token', async () => {
    const { ops } = registry.tokens;
    const db = registryTables(registry);
    await db
      .updateTable('tokens')
      .set({ expires_at: registry.clock.now })
      .where('name', '=', 'olivia')
      .execute();
    const expired = await sendWith(`Bearer ${ops}`);
    expect(detail(expired)).toContain('The token "olivia" expired at 2026-01-01 12:00:00 UTC.');
    expect(JSON.stringify(expired)).not.toContain(ops);
    await db
      .updateTable('tokens')
      .set({ revoked_at: registry.clock.now })
      .where('name', '=', 'olivia')
      .execute();
    expect(detail(await sendWith(`Bearer ${ops}`))).toContain('was revoked');
  });

  test('are never stored in a usable form', async () => {
    const rows = await registryTables(registry).selectFrom('tokens').selectAll().execute();
    for (const token of Object.values(registry.tokens)) expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('for publishing a remote have no access to another, and cannot activate their own', async () => {
    const { partners } = await registry.startSite();
    const as = 'blocks' as const;
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    expect((await registry.publish(next, { as })).status).toBe(201);

    const foreign = remoteManifest('mfe-partners', { contents: 2 });
    const refused = [
      await registry.publish(foreign, { as }),
      await registry.activate({ 'mfe-blocks': next.version }, {}, { as }),
      await registry.rollBack({ app: 'mfe-blocks' }, { as }),
      await registry.rollBack({ app: 'mfe-partners', to: partners.version }, { as }),
    ];
    expect(refused.map((answer) => [answer.status, code(answer)])).toEqual(
      refused.map(() => [403, 'scope_missing']),
    );
  });

  test('for activating a remote can activate and roll back only that one', async () => {
    const { blocks: first, partners } = await registry.startSite();
    const as = 'activator' as const;
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.publish(next);
    const both = { 'mfe-blocks': next.version, 'mfe-partners': partners.version };
    expect((await registry.activate(both, {}, { as })).status).toBe(403);
    expect((await registry.activate({}, { config: siteConfig }, { as })).status).toBe(403);
    expect((await registry.activate({ 'mfe-blocks': next.version }, { force: true }, { as })).status).toBe(
      403,
    );
    expect((await registry.activate({ 'mfe-blocks': next.version }, {}, { as })).status).toBe(201);
    const { status, body } = await registry.rollBack({ app: 'mfe-blocks' }, { as });
    expect([status, body.release.by, body.release.apps['mfe-blocks']]).toEqual([201, 'ben', first.version]);
  });

  test('for reading can read and change nothing', async () => {
    const as = 'read' as const;
    await registry.startSite();
    expect((await registry.send('GET', '/v1/channels/production', { as })).status).toBe(200);
    expect((await registry.send('PUT', blobUrl, { as, body: blob })).status).toBe(403);
    expect((await registry.send('POST', '/v1/blobs/missing', { as, body: { integrities: [] } })).status).toBe(
      403,
    );
    expect((await registry.activate({}, {}, { as })).status).toBe(403);
  });
});

describe('edges', () => {
  const edges = async () => {
    const { body } = await registry.send<{ edges: object[] }>('GET', '/v1/channels/production');
    return body.edges;
  };
  const report = (id: string, release: string | null, as: 'ops' | 'edge' | 'read' | 'blocks' = 'ops') =>
    registry.send('PUT', `/v1/edges/${id}`, { as, body: { channel: 'production', release } });
  const leave = (id: string, as: 'ops' | 'edge' | 'read' | 'blocks' = 'ops') =>
    registry.send('DELETE', `/v1/edges/${id}`, { as });

  test('report only with their own token: no other can create an edge or report for it', async () => {
    await report('edge-2', 'r2');
    for (const [id, as] of [
      ['edge-2', 'edge'],
      ['edge-1', 'read'],
      ['made-up', 'read'],
      ['edge-2', 'blocks'],
      ['edge-1.', 'edge'],
    ] as const) {
      expect([id, as, (await report(id, 'r9', as)).status]).toEqual([id, as, 403]);
      expect([id, as, (await leave(id, as)).status]).toEqual([id, as, 403]);
    }
    expect(await edges()).toMatchObject([{ id: 'edge-2', release: 'r2' }]);
    expect((await report('edge-1', 'r1', 'edge')).status).toBe(200);
    expect(await edges()).toMatchObject([{ id: 'edge-1', release: 'r1' }, { id: 'edge-2' }]);
    expect((await report('edge-1', 'r99999999999', 'edge')).status).toBe(422);
    expect((await leave('edge-1', 'edge')).status).toBe(204);
    expect(await edges()).toMatchObject([{ id: 'edge-2' }]);
  });

  test('are listed with their served releases and whether they are alive', async () => {
    await report('edge-1', null);
    registry.clock.now = new Date('2026-01-01T12:00:30.000Z');
    await report('edge-2', 'r1');
    await report('edge-2', 'r2');
    expect(await edges()).toMatchObject([
      { id: 'edge-1', release: null, seenAt: '2026-01-01T12:00:00.000Z', alive: false },
      { id: 'edge-2', release: 'r2', seenAt: '2026-01-01T12:00:30.000Z', alive: true },
    ]);
  });

  test('that deregister are removed from the list until they report again', async () => {
    for (const id of ['edge-1', 'edge-2']) await report(id, 'r1');
    expect((await leave('edge-1')).status).toBe(204);
    expect(await edges()).toMatchObject([{ id: 'edge-2' }]);
    expect((await leave('edge-1')).status).toBe(204);
    expect((await leave('no%20id')).status).toBe(400);
    await report('edge-1', 'r1');
    expect(await edges()).toMatchObject([{ id: 'edge-1' }, { id: 'edge-2' }]);
  });

  test('that are gone for good can be forgotten only by ops, and not while they report', async () => {
    await report('edge-1', 'r1');
    const forget = (id: string, as: 'ops' | 'edge' | 'read' | 'blocks' = 'ops', more: object = {}) =>
      registry.send('POST', `/v1/edges/${id}/removals`, { as, body: { reason: 'burnt down', ...more } });
    const code = ({ body }: { body: { errors?: { code: string }[] } | null }) => body?.errors?.[0]?.code;
    expect(code(await forget('edge-1'))).toBe('edge_alive');
    registry.clock.now = new Date('2026-01-01T12:00:15.000Z');
    for (const as of ['edge', 'read', 'blocks'] as const)
      expect((await forget('edge-1', as)).status).toBe(403);
    expect((await forget('edge-1', 'ops', { dryRun: true })).status).toBe(200);
    expect(await edges()).toMatchObject([{ id: 'edge-1', alive: false }]);
    expect((await forget('edge-1')).body).toEqual({ id: 'edge-1', seenAt: '2026-01-01T12:00:00.000Z' });
    expect(await edges()).toEqual([]);
    expect(code(await forget('edge-1'))).toBe('edge_unknown');
    const { body } = await registry.send<{ events: object[] }>('GET', '/v1/audit');
    expect(body.events[0]).toMatchObject({ action: 'edge.forgotten', subject: 'edge-1' });
    await report('edge-1', 'r1');
    expect(await edges()).toMatchObject([{ id: 'edge-1', alive: true }]);
  });

  test('that were silent for days stay listed, because they may still serve their last release', async () => {
    await report('edge-1', 'r1');
    registry.clock.now = new Date('2026-01-04T13:00:00.000Z');
    await report('edge-2', null);
    expect(await edges()).toMatchObject([
      { id: 'edge-1', release: 'r1', alive: false },
      { id: 'edge-2', alive: true },
    ]);
  });
});

test('health checks need no token', async () => {
  const answers = await Promise.all(
    ['/healthz', '/readyz', '/metrics'].map((url) => registry.app.inject(url)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});
