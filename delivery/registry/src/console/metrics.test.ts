import { sql } from 'kysely';
import type { Database } from '@site/server/open-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createRegistryApp } from '../create-registry-app.ts';
import { startAlertReceiver, type AlertReceiver } from '../testing/alert-receiver.ts';
import { createHarness, registryTables, testAuditKey, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';

let registry: Harness;
let receiver: AlertReceiver;

forEachTest(async (database: Database) => {
  registry = await createHarness(database);
  receiver = await startAlertReceiver();
  return {
    async stop() {
      await receiver.stop();
      await registry.stop();
    },
  };
});

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });
const ask = (options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  registry.app.inject({ method: 'GET', url: '/metrics', ...options });

/** The samples of the registry's own metrics: `name{label="value"}` → value. */
async function samples(): Promise<Record<string, number>> {
  const { body } = await ask();
  return Object.fromEntries(
    [...body.matchAll(/^site_registry_(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => {
      const own = labels.split(',').filter((label) => !label.startsWith('server='));
      return [own.join() ? `${name}{${own.join()}}` : `${name}`, Number(value)];
    }),
  );
}

async function badCanary(): Promise<void> {
  await registry.startSite();
  await registry.publish(blocks(2));
  await registry.activate({ 'mfe-blocks': blocks(2).version }, { share: 10 });
  await registry.look();
  const edge = testEdge(registry);
  const batch = edge.next([
    makeCell({ app: 'mfe-blocks', version: blocks(2).version, role: 'canary', views: 200, faults: 150 }),
    makeCell({ app: 'mfe-blocks', version: blocks(1).version, views: 1800 }),
  ]);
  await edge.send(batch);
  await edge.send(batch);
}

test('count batches, verdicts, actions of the guard, and alerts', async () => {
  expect(await samples()).toMatchObject({
    database_up: 1,
    'signal_batches_total{result="counted"}': 0,
    'guard_actions_total{did="acted"}': 0,
    'guard_verdicts{channel="production",verdict="bad"}': 0,
    'alerts_sent_total{kind="acted"}': 0,
    alerts_waiting: 0,
    alert_hooks_failing: 0,
  });
  await registry.send('POST', '/v1/alert-hooks', { body: { url: receiver.url } });
  receiver.manners = [500, 200];
  await badCanary();
  expect(await samples()).toMatchObject({
    'signal_batches_total{result="counted"}': 1,
    'signal_batches_total{result="repeated"}': 1,
    signal_batch_seconds_count: 2,
    'guard_verdicts{channel="production",verdict="bad"}': 1,
    'guard_verdicts{channel="staging",verdict="bad"}': 0,
  });
  await registry.look();
  expect(await samples()).toMatchObject({
    'guard_actions_total{did="acted"}': 1,
    'guard_actions_total{did="suggested"}': 0,
    guard_failures_total: 0,
    alert_attempts_failed_total: 1,
    alerts_waiting: 1,
    alert_hooks_failing: 1,
  });
  registry.clock.now = new Date(registry.clock.now.getTime() + 1_000);
  await registry.look();
  expect(await samples()).toMatchObject({
    'guard_verdicts{channel="production",verdict="bad"}': 0,
    'alerts_sent_total{kind="acted"}': 1,
    alert_attempts_failed_total: 1,
    alerts_waiting: 0,
    alert_hooks_failing: 0,
  });
});

test('count suggested and rejected actions of the guard', async () => {
  await registry.send('POST', '/v1/channels/production/guard', {
    body: { mode: 'suggest', reason: 'a test' },
  });
  await badCanary();
  await registry.look();
  await registry.look();
  expect(await samples()).toMatchObject({
    'guard_actions_total{did="acted"}': 0,
    'guard_actions_total{did="suggested"}': 1,
    'guard_verdicts{channel="production",verdict="bad"}': 1,
  });
});

test('show which edges serve the live release, which another one, and which are silent', async () => {
  await registry.startSite();
  const report = (release: string | null) =>
    registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: { channel: 'production', release } });
  const states = async () => {
    const all = await samples();
    return ['current', 'behind', 'silent'].map(
      (state) => all[`edges{channel="production",state="${state}"}`],
    );
  };
  expect(await states()).toEqual([0, 0, 0]);
  await report('r1');
  expect(await states()).toEqual([1, 0, 0]);
  await report(null);
  expect(await states()).toEqual([0, 1, 0]);
  registry.clock.now = new Date(registry.clock.now.getTime() + 15_000);
  expect(await states()).toEqual([0, 0, 1]);
  await registry.look();
  registry.clock.now = new Date(registry.clock.now.getTime() + 30_000);
  await registry.look();
  expect(await samples()).toMatchObject({ 'troubles{kind="edge"}': 1, 'troubles{kind="store"}': 0 });
});

test('contain no app, edge, hook, visitor or secret', async () => {
  const { body: hook } = await registry.send<{ id: string; secret: string }>('POST', '/v1/alert-hooks', {
    body: { url: `${receiver.url}/path-with-a-secret` },
  });
  await badCanary();
  await registry.send('PUT', '/v1/edges/edge-1', {
    as: 'edge',
    body: { channel: 'production', release: 'r1' },
  });
  await registry.look();
  const { body } = await ask();
  expect(body.length).toBeGreaterThan(1_000);
  for (const text of ['mfe-', 'edge-1', hook.id, hook.secret, 'secret', ...Object.values(registry.tokens)])
    expect(body).not.toContain(text);
});

test('can be read by programs on this machine, and with a token; otherwise not', async () => {
  const authorization = `Bearer ${registry.tokens.read}`;
  const status = async (options: Parameters<typeof ask>[0]) => (await ask(options)).statusCode;
  expect(await status({})).toBe(200);
  expect(await status({ remoteAddress: '::1' })).toBe(200);
  expect(await status({ remoteAddress: '::ffff:127.0.0.1' })).toBe(200);
  expect(await status({ remoteAddress: '192.0.2.1' })).toBe(401);
  expect(await status({ remoteAddress: '127.0.0.1.example' })).toBe(401);
  expect(await status({ remoteAddress: '192.0.2.1', headers: { authorization } })).toBe(200);
  const wrong = { authorization: `Bearer site_${'x'.repeat(43)}` };
  expect(await status({ remoteAddress: '192.0.2.1', headers: wrong })).toBe(401);
  // Through a proxy on this machine.
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    expect(await status({ headers: { [name]: '192.0.2.1' } })).toBe(401);
});

test('behind a trusted proxy, the socket still determines what is on this machine', async () => {
  const { database, store, composer } = registry;
  const app = await createRegistryApp({ database, store, composer, auditKey: testAuditKey, trustProxy: 1 });
  const status = async (remoteAddress: string, headers = {}) =>
    (await app.inject({ method: 'GET', url: '/metrics', remoteAddress, headers })).statusCode;
  try {
    const claimed = { 'x-forwarded-for': '127.0.0.1' };
    expect([await status('127.0.0.1'), await status('192.0.2.1')]).toEqual([200, 401]);
    expect([await status('127.0.0.1', claimed), await status('192.0.2.1', claimed)]).toEqual([401, 401]);
  } finally {
    await app.close();
  }
});

test('are available while the database is down, and report it', async () => {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.id('registry', from)} rename to ${sql.id(to)}`.execute(registryTables(registry));
  await rename('edges', 'edges_away');
  const all = await samples();
  await rename('edges_away', 'edges');
  expect((await samples())['database_up']).toBe(1);
  expect(all['database_up']).toBe(0);
  expect(all['signal_batches_total{result="counted"}']).toBe(0);
  expect(
    Object.keys(all).filter((name) =>
      /^(edges|guard_verdicts|troubles|alerts_waiting|alert_hooks_failing)/.test(name),
    ),
  ).toEqual([]);
});
