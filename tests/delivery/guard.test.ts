import { documentKey } from '@site/contract';
import { readBootData } from './harness/page-check.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report, Signals, SignalsToken } from '@site/contract/signals/report.schema';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { guardCalls } from '@site/contract/registry-calls/guard.calls';
import { makeCell } from '@site/registry/testing/signals';
import { startPostgres } from '@site/server/testing/start-postgres';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { makeEdgeToken } from './harness/edge-token.ts';
import { isCommit } from './harness/statements.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { victims, type Victim } from './harness/victims.ts';
import { until } from '../e2e/harness/until.ts';

/**
 * The registry or PostgreSQL dies between a batch and its response, or between a verdict and its action: no
 * batch is counted twice or lost, and no action happens twice.
 */

const EDGE = 'edge-that-counts';
let cluster: Cluster;
let token: string;
let sequence = 0;
let editions = 0;

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 1, postgres: await startPostgres() });
  token = await makeEdgeToken(cluster.registry.url, cluster.tokens.ops, EDGE);
});
afterAll(() => cluster.stop());

const makeBatch = (cells: EdgeSums['cells']): EdgeSums => ({
  boot: '00000000-0000-4000-8000-000000000001',
  sequence: (sequence += 1),
  at: new Date().toISOString(),
  channel: 'production',
  cells,
  faults: [],
});

/** Only edges in service count. */
const report = () =>
  cluster
    .ask('PUT', `/v1/edges/${EDGE}`, { as: token, body: { channel: 'production', release: null } })
    .catch(() => null);

/** Submits a batch like an edge: retries until acknowledged. */
async function handOver(batch: EdgeSums, onSilence: () => Promise<void>): Promise<void> {
  await until(async () => {
    const answer = await cluster
      .ask('POST', `/v1/edges/${EDGE}/signals`, { as: token, body: batch })
      .catch(() => null);
    if (answer?.status === 200) return true;
    await onSilence();
    await report();
    return false;
  });
}

const read = async <T>(path: string) =>
  (await cluster.askAgain<T>('GET', `/v1/channels/production/${path}`)).body;
const countViews = async (version: string) =>
  (await read<AnswerOf<(typeof guardCalls)['readHealth']>>('health?app=mfe-beta&route=/beta')).rows.find(
    (row) => row.version === version,
  )?.views ?? 0;

test("the registry counts a browser's reports to an edge", async () => {
  const { release } = await cluster.channel();
  const [edge] = cluster.edges;
  const { frame } = readBootData(await (await fetch(`${edge?.url}/alpha`)).text());
  const address = `${edge?.url}/__site/signals`;
  const version = release?.apps['mfe-alpha'] ?? '';
  const fetchToken = async () =>
    ((await (await fetch(`${address}?page=/alpha`)).json()) as SignalsToken).token;
  let signals = await fetchToken();
  // The key is in a heartbeat's response.
  for (; signals === null; signals = await fetchToken()) await sleep(50);
  const document = documentKey(frame, { name: 'mfe-alpha', version });
  const view = { number: 0, route: '/alpha', app: 'mfe-alpha', version, build: 'live' } as const;
  const reports: Report[] = [
    { kind: 'outcome', view, stretch: 'first', age: 5_000, faulty: ['mfe-alpha'] },
    { kind: 'form', view, sent: true },
  ];
  const { status } = await fetch(address, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: signals, document, reports } satisfies Signals),
  });
  expect(status).toBe(202);
  const told = async () =>
    (await read<AnswerOf<(typeof guardCalls)['readHealth']>>('health?app=mfe-alpha&route=/alpha')).rows[0];
  let row = await told();
  for (; row?.views !== 1 || row.forms.sent !== 1; row = await told()) await sleep(100);
  expect(row).toMatchObject({
    version,
    canary: false,
    views: 1,
    faults: { rate: 1 },
    forms: { sent: 1, failed: 0 },
  });
});

/** Kills one of them at one of the registry's next commits. */
function dieAt(step: number, victim: Victim) {
  let isDead = false;
  cluster.databaseLink.arm(
    step,
    () => {
      isDead = true;
      victim.kill();
      return 'cut';
    },
    isCommit,
  );
  return {
    async revive() {
      if (isDead) await victim.revive();
      isDead = false;
    },
    /** @returns the number of commits. */
    over: () => cluster.databaseLink.disarm(),
  };
}

const isWatched = async (version: string) =>
  (await read<AnswerOf<(typeof guardCalls)['readGuard']>>('guard')).judgements.some(
    (judgement) => judgement.version === version,
  );

test.each(Object.entries(victims))(
  'a batch is counted once, at whichever commit %s dies',
  async (_, victim) => {
    const { 'mfe-beta': version = '' } = (await cluster.channel()).release?.apps ?? {};
    const cell = makeCell({ app: 'mfe-beta', version, route: '/beta', views: 7 });
    // The guard's initial commit for the first release is not one of the steps.
    await until(() => isWatched(version));
    for (const step of [1, 2]) {
      const before = await countViews(version);
      const death = dieAt(step, victim(cluster));
      await handOver(makeBatch([cell]), death.revive);
      death.over();
      await death.revive();
      expect(await countViews(version)).toBe(before + 7);
    }
  },
);

test.each(Object.entries(victims))(
  'a bad canary is aborted once, at whichever commit %s dies',
  async (_, victim) => {
    const { 'mfe-beta': live = '' } = (await cluster.channel()).release?.apps ?? {};
    // The batch, the start of a change, the change itself, and its follow-up.
    for (const step of [1, 2, 3, 4]) {
      const bad = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], `bad-${(editions += 1)}`));
      const canary = await cluster.activate({ 'mfe-beta': bad }, { share: 10 });
      await until(() => isWatched(bad));
      await report();
      const death = dieAt(step, victim(cluster));
      await handOver(
        makeBatch([
          makeCell({
            app: 'mfe-beta',
            version: bad,
            route: '/beta',
            role: 'canary',
            views: 200,
            faults: 150,
          }),
          makeCell({ app: 'mfe-beta', version: live, route: '/beta', views: 2000 }),
        ]),
        death.revive,
      );
      const isOver = async () => {
        await death.revive();
        const answer = await cluster
          .ask<{ canaries: unknown[] }>('GET', '/v1/channels/production')
          .catch(() => null);
        return answer?.status === 200 && answer.body.canaries.length === 0;
      };
      await until(isOver);
      death.over();
      await death.revive();

      const { actions } = await read<AnswerOf<(typeof guardCalls)['listGuardActions']>>('guard/actions');
      expect(actions.filter(({ version }) => version === bad)).toMatchObject([
        { did: 'acted', release: canary },
      ]);
      const { body } = await cluster.askAgain<{ events: { action: string; subject: string; by: string }[] }>(
        'GET',
        '/v1/audit?limit=50',
      );
      const told = body.events.filter(
        ({ action, subject }) =>
          (action === 'canary.aborted' && subject === canary) ||
          (action === 'version.quarantined' && subject === `mfe-beta@${bad}`),
      );
      expect(told).toMatchObject([
        { action: 'canary.aborted', by: 'guard' },
        { action: 'version.quarantined', by: 'guard' },
      ]);
    }
  },
);
