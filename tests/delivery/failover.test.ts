import pg from 'pg';
import type { ChannelAnswer, RecoveryAnswer, VerificationAnswer } from '@site/contract';
import { startPostgres, type TestPostgres } from '@site/server/testing/start-postgres';
import { readRelease, samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { until } from '../e2e/harness/until.ts';

/** A failover to a database that lags behind: it lacks a rollback that every edge serves. */

let postgres: TestPostgres;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startPostgres();
  cluster = await startCluster({ edgeCount: 2, postgres });
});
afterAll(() => cluster.stop());

async function sql(...statements: string[]): Promise<void> {
  const client = new pg.Client(postgres.url.replace(/site$/, 'postgres'));
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const disconnect = (name: string) =>
  sql(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );

const channel = async () => (await cluster.askAgain<ChannelAnswer>('GET', '/v1/channels/production')).body;
const change = (path: string, body: object) =>
  cluster.askAgain<{ release: { id: string } }>('POST', `/v1/channels/production/${path}`, body);
const anchors = async () =>
  (await cluster.askAgain<VerificationAnswer>('POST', '/v1/verifications', {})).body.audit.anchors;
const served = () => Promise.all(cluster.edges.map((edge) => readRelease(edge).catch(() => null)));

test('edges keep a rollback that the database lost, until its loss is confirmed', async () => {
  const bad = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'bad'));
  const badRelease = await cluster.activate({ 'mfe-beta': bad });
  await until(async () => (await served()).every((release) => release === badRelease));
  await sql(
    ...['alter database site with allow_connections false'],
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'site'`,
    'create database standby template site',
    'alter database site with allow_connections true',
  );

  const lost = (await change('rollbacks', { app: 'mfe-beta', reason: 'broken' })).body.release.id;
  await until(async () => (await served()).every((release) => release === lost));
  const { newest } = await anchors();

  await disconnect('site');
  await sql(
    'alter database site rename to lost',
    'alter database standby rename to site',
    'alter database site with allow_connections true',
  );

  // The registry notices by itself, and names the lost entries and the edges.
  await until(async () => {
    const { state, freezes, edges } = await channel();
    return (
      state.live === badRelease &&
      edges.every(({ diverged }) => diverged) &&
      freezes.some(({ reason }) => reason.includes(`to ${newest?.sequence} of the audit log`))
    );
  });
  expect(await served()).toEqual([lost, lost]);
  const next = await cluster.publish(sampleRemote('mfe-alpha', samplePaths['mfe-alpha'] ?? [], 'next'));
  expect((await change('releases', { apps: { 'mfe-alpha': next }, reason: 'more' })).status).toBe(409);
  expect((await anchors()).problems).not.toEqual([]);

  // A restarted edge keeps it as well.
  await cluster.edges[0]?.stop();
  await cluster.edges[0]?.start();
  await until(async () => (await served())[0] === lost);

  // The rollback is repeated before edges follow: no visitor gets the bad version again.
  const repeated = (await change('rollbacks', { app: 'mfe-beta', reason: 'broken' })).body.release.id;
  expect(Number(repeated.slice(1))).toBeGreaterThan(Number(lost.slice(1)) + 1_000);
  expect(await served()).toEqual([lost, lost]);

  const recovered = await cluster.askAgain<RecoveryAnswer>('POST', '/v1/recoveries', {
    reason: 'a failover',
  });
  expect(recovered.body).toMatchObject({ changed: true, diverged: cluster.edges.map(({ id }) => id) });
  await until(async () => (await served()).every((release) => release === repeated));
  await until(async () => (await channel()).edges.every(({ diverged }) => !diverged));
  expect((await channel()).freezes).toEqual([]);
  expect(await anchors()).toMatchObject({
    problems: [],
    restored: [{ givenUp: expect.any(Number) as number }],
  });
  const again = await cluster.askAgain<RecoveryAnswer>('POST', '/v1/recoveries', { reason: 'twice' });
  expect(again.body.changed).toBe(false);
});
