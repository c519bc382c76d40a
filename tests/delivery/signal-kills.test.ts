import { bucketAt } from '@site/edge/testing/bucket-at';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditAnswer } from '@site/contract';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { guardCalls } from '@site/contract/registry-calls/guard.calls';
import { startPostgres } from '@site/server/testing/start-postgres';
import { startCluster, type Cluster, type ClusterEdge } from './harness/cluster.ts';
import { openDocument } from './harness/plain-visitor.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { victims, type Victim } from './harness/victims.ts';
import { ask } from '@site/edge/testing/ask';
import { until } from '../e2e/harness/until.ts';

/**
 * Visitors report to edges while an edge, the registry and PostgreSQL are killed: no view is counted twice,
 * undisturbed views are all counted, and the guard acts once.
 */

/** Each edge has its own page, which identifies its reports. */
const pages = ['/alpha', '/alpha/more'] as const;
/** A third page, whose views mark the end of the reports so far. */
const MARK = '/beta';
/** Older than the measured interval, so it is counted immediately. */
const SEEN_MS = 6_000;
const AT_ONCE = 3;
/** Between visits, so that restarting servers get CPU time. */
const PAUSE_MS = 20;

let cluster: Cluster;
let networks = 0;

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: pages.length, postgres: await startPostgres() });
  await Promise.all(cluster.edges.map(({ url }) => untilTokens(url)));
});
afterAll(() => cluster.stop());

/** The signing key for tokens is in a heartbeat's response. */
async function untilTokens(url: string): Promise<void> {
  await until(async () => {
    // During a canary, a document has its own token.
    const { headers } = await ask(url, MARK);
    const asked = await fetch(`${url}/__site/signals?page=${MARK}`);
    return (
      headers['server-timing'] !== undefined ||
      ((await asked.json()) as { token: string | null }).token !== null
    );
  });
}

/** One view from a new network. @returns the status of the response, if any. */
async function visit(url: string, path: string, { bucket = 9_999, fails = false } = {}): Promise<number> {
  const page = await openDocument(url, path, { network: (networks += 1), bucket });
  const { app, version } = page.view;
  const isFaulty = fails && version !== liveBeta;
  return page.tell(
    { kind: 'outcome', stretch: 'first', age: SEEN_MS, faulty: isFaulty ? [app] : [] },
    ...(isFaulty
      ? [{ kind: 'faults' as const, faults: [{ kind: 'error' as const, app, message: 'no beta' }] }]
      : []),
  );
}
let liveBeta = '';

interface Visits {
  answered(): number;
  stop(): Promise<void>;
}

function keepVisiting(one: () => Promise<number>): Visits {
  let answered = 0;
  let isOver = false;
  const walk = async () => {
    while (!isOver) {
      // A killed edge does not respond.
      const status = await one().catch(() => null);
      if (status === 202) answered += 1;
      await sleep(PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, walk));
  return {
    answered: () => answered,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

const read = async <T>(path: string) =>
  (await cluster.askAgain<T>('GET', `/v1/channels/production/${path}`)).body;

/** All views of a page that the registry has counted, for any version. */
async function counted(route: string): Promise<number> {
  const { rows } = await read<AnswerOf<(typeof guardCalls)['readHealth']>>(
    `health?minutes=600&route=${encodeURIComponent(route)}`,
  );
  return rows.filter(({ app }) => app !== 'shell').reduce((sum, { views }) => sum + views, 0);
}

/** Waits until the edges have submitted all current batches, which are in order. */
async function everythingArrived(): Promise<void> {
  const before = await counted(MARK);
  for (const { url } of cluster.edges) {
    await untilTokens(url);
    expect(await visit(url, MARK)).toBe(202);
  }
  await until(async () => expect(await counted(MARK)).toBeGreaterThanOrEqual(before + cluster.edges.length));
}

const [first, second] = pages;
const pageEdge = (page: (typeof pages)[number]) => cluster.edges[pages.indexOf(page)] as ClusterEdge;

test.each(Object.entries(victims))(
  'all views are counted once while %s is killed repeatedly',
  async (_, victim) => {
    const { kill, revive } = victim(cluster);
    const before = await Promise.all(pages.map(counted));
    const visits = pages.map((page) => keepVisiting(() => visit(pageEdge(page).url, page)));
    for (let times = 0; times < 3; times += 1) {
      const known = await counted(first);
      await until(async () => expect(await counted(first)).not.toBe(known));
      kill();
      const told = visits.map(({ answered }) => answered());
      // Visitors do not notice.
      await until(() => visits.every(({ answered }, index) => answered() >= (told[index] ?? 0) + 20));
      await revive();
    }
    await Promise.all(visits.map(({ stop }) => stop()));
    await everythingArrived();
    const after = await Promise.all(pages.map(counted));
    expect(after.map((views, index) => views - (before[index] ?? 0))).toEqual(
      visits.map(({ answered }) => answered()),
    );
  },
);

test("a killed edge submits nothing twice, and no other edge's data is lost", async () => {
  const before = await Promise.all(pages.map(counted));
  const visits = pages.map((page) => keepVisiting(() => visit(pageEdge(page).url, page)));
  const victim = pageEdge(first);
  const isBatch = (bytes: Buffer) => bytes.toString('latin1', 0, 200).includes('/signals ');
  for (let times = 0; times < 3; times += 1) {
    // After its batch is counted and before the response: its successor must not submit that batch again.
    await new Promise<void>((resolve) => {
      victim.link.arm(
        1,
        () => {
          victim.kill();
          resolve();
          return 'cut';
        },
        isBatch,
      );
    });
    victim.link.disarm();
    await victim.start();
    await untilTokens(victim.url);
  }
  await Promise.all(visits.map(({ stop }) => stop()));
  await everythingArrived();
  const [ofVictim = 0, ofOther = 0] = (await Promise.all(pages.map(counted))).map(
    (views, index) => views - (before[index] ?? 0),
  );
  expect(ofOther).toBe(visits[1]?.answered());
  expect(ofVictim).toBeGreaterThan(0);
  expect(ofVictim).toBeLessThanOrEqual(visits[0]?.answered() ?? 0);
});

test('a bad canary is aborted once, while its visitors report and each server is killed in turn', async () => {
  liveBeta = (await cluster.channel()).release?.apps['mfe-beta'] ?? '';
  const bad = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'fails'));
  const canary = await cluster.activate({ 'mfe-beta': bad }, { share: 10 });
  const edges = cluster.edges.map(({ url }) => url);
  const fair = keepVisiting(() => visit(edges[networks % edges.length] ?? '', '/beta'));
  const accidents: Victim[] = [
    ...Object.values(victims).map((victim) => victim(cluster)),
    { kill: () => pageEdge(second).kill(), revive: () => pageEdge(second).start() },
  ];
  // Its visitors come one by one, each before another kill.
  const isRunning = async () => (await cluster.channel()).state.canaries.length > 0;
  for (let times = 0; await isRunning(); times += 1) {
    await visit(pageEdge(first).url, '/beta', { bucket: bucketAt(0, canary), fails: true });
    const accident = times < 2 * accidents.length ? accidents[times % accidents.length] : undefined;
    accident?.kill();
    await accident?.revive();
  }
  await fair.stop();
  await everythingArrived();
  await restarted();

  const { actions } = await read<AnswerOf<(typeof guardCalls)['listGuardActions']>>('guard/actions');
  expect(actions).toMatchObject([{ did: 'acted', app: 'mfe-beta', version: bad, release: canary }]);
  const { body } = await cluster.askAgain<AuditAnswer>('GET', '/v1/audit?limit=50');
  const done = (action: string) =>
    body.events.filter((event) => event.by === 'guard' && event.action === action);
  expect(done('canary.aborted')).toMatchObject([{ subject: canary }]);
  expect(done('version.quarantined')).toMatchObject([{ subject: `mfe-beta@${bad}` }]);
});

/** The state that a newly started registry finds. */
async function restarted(): Promise<void> {
  cluster.registry.kill();
  await cluster.registry.start();
  await everythingArrived();
}
