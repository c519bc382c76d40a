import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, tablesOf } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';
import { cellOf, testEdge } from './testing/signals.ts';

/** For one version the registry takes and gives what was renamed under both names: whoever asks may be older. */
const versionOf = (contents: number) => remoteManifest('mfe-blocks', { contents }).version;
const app = 'mfe-blocks';
const share = 10;
const channel = '/v1/channels/production';

const registry = forEachTest(async (database) => {
  const harness = await createHarness(database);
  // r2 is live with the second version, and r3 shows the third to a tenth of the visitors.
  await harness.once('a canary', async () => {
    await harness.startSite();
    for (const contents of [2, 3])
      await harness.publish(remoteManifest(app, { contents }), { query: '?live-checks=defer' });
    await harness.activate({ [app]: versionOf(2) });
    await harness.activate({ [app]: versionOf(3) }, { share });
  });
  return harness;
});

type Named = Record<string, unknown>;
const read = async (path: string) => (await registry.send<Named>('GET', path)).body;
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  registry.send('POST', path, { body: { reason: 'a test', ...body }, headers });
const code = async (answer: ReturnType<typeof post>) => (await answer).body.errors[0]?.code;

describe('what is asked under a former name is done', () => {
  test.each([
    ['parent of an activation', 'releases', { apps: {}, parent: 'r1' }, 'parent_outdated'],
    ['candidate of a share', 'canary', { share, candidate: 'r2' }, 'no_canary'],
    ['candidate of a promotion', 'promotions', { candidate: 'r2' }, 'no_canary'],
    ['candidate of an abort', 'aborts', { candidate: 'r2' }, 'no_canary'],
    ['stable of a rollback', 'rollbacks', { app, stable: true, to: versionOf(2) }, 'no_good_version'],
    ['both names of one field', 'promotions', { candidate: 'r3', ifCanary: 'r3' }, 'body_invalid'],
  ])('%s', async (_what, path, body, expected) => {
    expect(await code(post(`${channel}/${path}`, body))).toBe(expected);
  });

  test('the header of a rollback', async () => {
    await post(`${channel}/aborts`, {});
    const seen = { 'if-live': versionOf(3) };
    expect(await code(post(`${channel}/rollbacks`, { app }, seen))).toBe('version_not_live');
  });

  test('the address of a share', async () => {
    const { status } = await post(`${channel}/candidate`, { share: 20, candidate: 'r3' });
    expect([status, (await read(channel))['state']]).toMatchObject([200, { canary: { share: 20 } }]);
  });

  test('the canary of an edge', async () => {
    const body = { channel: 'production', release: 'r2', candidate: { release: 'r3', share } };
    await registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body });
    expect(await read(channel)).toMatchObject({ edges: [{ canary: body.candidate }] });
  });
});

test('what an edge counted of the live release is counted under both names, and kept under the one that former versions read', async () => {
  const edge = testEdge(registry);
  for (const role of ['stable', 'live'])
    await edge.tell([cellOf({ app, version: versionOf(2), views: 10, role: role as 'live' })]);
  const kept = await tablesOf(registry).selectFrom('signal_minutes').select(['role', 'sums']).execute();
  expect(kept).toMatchObject([{ role: 'stable', sums: { first: { views: 20 } } }]);
});

describe('what is answered has both names', () => {
  const canary = { release: 'r3', share };

  test('a channel', async () => {
    const body = { channel: 'production', release: 'r2', canary };
    await registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body });
    const shown = { release: { id: 'r3' }, share };
    expect(await read(channel)).toMatchObject({
      state: { live: 'r2', stable: 'r2', canary, candidate: canary },
      canary: shown,
      candidate: shown,
      edges: [{ canary, candidate: canary }],
    });
  });

  test('the history', async () => {
    const { releases } = await read(`${channel}/releases?limit=2`);
    expect(releases).toMatchObject([
      { id: 'r3', canary: true, candidate: true },
      { id: 'r2', canary: false, candidate: false },
    ]);
  });

  test('a quarantine', async () => {
    const { body } = await post(`/v1/apps/${app}/versions/${versionOf(3)}/quarantines`, {});
    expect(body).toMatchObject({ canary: ['production'], candidate: ['production'] });
  });

  test('a release without a remote, also within what an edge serves', async () => {
    await post(`${channel}/releases`, { apps: {}, without: ['mfe-partners'] });
    const leftOut = { 'mfe-partners': versionOf(1) };
    const release = { leftOut, absent: leftOut };
    expect(await read('/v1/releases/r4')).toMatchObject(release);
    expect(await read('/v1/releases/r4/document')).toMatchObject({ release });
  });

  test('a change, also one that was made before the names were new', async () => {
    const send = async () =>
      (await post(`${channel}/canary`, { share: 20 }, { 'idempotency-key': 'a' })).body as unknown as Named;
    const now = { release: 'r3', share: 20 };
    const first = await send();
    expect(first).toMatchObject({ canary: now, candidate: now });
    const { canary: moved, ...kept } = first;
    const response = JSON.stringify({ ...kept, candidate: moved });
    await tablesOf(registry).updateTable('idempotency_keys').set({ response }).execute();
    expect(await send()).toEqual(first);
  });
});

test('the document of the API marks the former names', async () => {
  const { components } = (await registry.app.inject('/openapi.json')).json<{
    components: { schemas: Record<string, { properties?: Record<string, { deprecated?: true }> }> };
  }>();
  const marked = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).flatMap((field) => (properties[field]?.deprecated ? [`${name}.${field}`] : [])),
  );
  expect(marked).toEqual(
    expect.arrayContaining(['createReleaseBody.parent', 'rollBackBody.stable', 'ChannelAnswer.candidate']),
  );
});
