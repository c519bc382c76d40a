import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, type Cluster, type ClusterEdge } from './harness/cluster.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import type { StepProxy } from './harness/step-proxy.ts';
import { watchSite, type SiteWatch } from './harness/watch-site.ts';

/**
 * Kills a process at every step of a change: when the database has done the first thing that the registry asks of it and
 * the registry has not heard of it yet, after the second, and so on until the change goes through undisturbed. After each kill the state must be the one before or the
 * one after the change, and asking again with the same idempotency key must lead to the one after.
 */
jest.setTimeout(240_000);

let cluster: Cluster;
let watch: SiteWatch;
let editions = 0;

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 2 });
});
afterAll(() => cluster.stop());

/** Something that ops or a team does, in pieces that tests can disturb. */
interface Change {
  /** Asks the registry for it. The same key each time: asking again must not act twice. */
  ask(): Promise<{ status: number }>;
  /** What it changes, as the registry shows it. */
  look(): Promise<unknown>;
}

/** What is live, which releases open tabs leave, and what the audit log says of it. */
const live = async () => {
  const { release, state } = await cluster.channel();
  return { apps: release?.apps, revoked: state.revoked, audit: await latestAudit() };
};

async function latestAudit(): Promise<unknown> {
  const { body } = await cluster.ask<{ events: object[] }>('GET', '/v1/audit?limit=5');
  return body.events;
}

const newVersion = () => sampleRemote('mfe-beta', ['/beta'], `edition-${(editions += 1)}`);
const publishNew = () => cluster.publish(newVersion());

const changes = {
  async publish() {
    const version = newVersion();
    await cluster.upload(version);
    const { app, version: id } = version.manifest;
    return {
      ask: () => cluster.ask('POST', '/v1/versions', { body: version.manifest }),
      look: async () => {
        const { status } = await cluster.ask('GET', `/v1/apps/${app}/versions/${id}`);
        return { status, audit: await latestAudit() };
      },
    };
  },
  async activate() {
    const version = await publishNew();
    const key = randomUUID();
    return {
      ask: () =>
        cluster.ask('POST', '/v1/channels/production/releases', {
          key,
          body: { apps: { 'mfe-beta': version }, reason: 'a test' },
        }),
      look: live,
    };
  },
  async rollback() {
    const bad = await publishNew();
    await cluster.activate({ 'mfe-beta': bad });
    const key = randomUUID();
    return {
      ask: () =>
        cluster.ask('POST', '/v1/channels/production/rollbacks', {
          key,
          body: { app: 'mfe-beta', from: bad, reason: 'a test' },
        }),
      look: live,
    };
  },
} satisfies Record<string, () => Promise<Change>>;

interface Victim {
  walks: (keyof typeof changes)[];
  /** Whether one of the steps is the commit: then the change is there although nobody was told. */
  sawCommit: boolean;
  /** Where the steps are counted. */
  link(): StepProxy;
  kill(): void;
  revive(): Promise<void>;
}

const victims: Record<string, Victim> = {
  'the registry, between its queries': {
    walks: ['publish', 'activate', 'rollback'],
    sawCommit: true,
    link: () => cluster.databaseLink,
    kill: () => cluster.registry.kill(),
    revive: () => cluster.registry.start(),
  },
  'the registry, between its writes to the artifacts': {
    walks: ['publish'],
    sawCommit: false,
    link: () => cluster.storeLink,
    kill: () => cluster.registry.kill(),
    revive: () => cluster.registry.start(),
  },
  PostgreSQL: {
    walks: ['publish', 'activate', 'rollback'],
    sawCommit: true,
    link: () => cluster.databaseLink,
    kill: () => cluster.postgres.kill(),
    revive: async () => {
      await cluster.postgres.restart();
      await reachable();
    },
  },
};

/** The registry finds back to its database by itself. */
async function reachable(): Promise<void> {
  const status = () => cluster.ask('GET', '/v1/channels/production').then((answer) => answer.status);
  while ((await status()) !== 200) await sleep(20);
}

afterEach(() => watch.stop());

for (const [name, victim] of Object.entries(victims)) {
  for (const verb of victim.walks) {
    test(`${verb}: whenever ${name} dies, everything is as before or as after`, async () => {
      watch = watchSite(cluster.edges, '/beta');
      let step = 1;
      let again = 0;
      const outcomes = { before: 0, after: 0 };
      for (; ; step += 1) {
        const change: Change = await changes[verb]();
        const before = await change.look();
        let kills = 0;
        victim.link().arm(step, () => {
          kills += 1;
          victim.kill();
          return 'cut';
        });
        await change.ask().catch(() => null);
        const seen = victim.link().disarm();
        if (seen < step) {
          // A statement of the request before may have been counted in place of the last one: the end is walked again.
          const hasSeenAll = !victim.sawCommit || outcomes.after > 0;
          if (hasSeenAll || (again += 1) > 5) break;
          step = Math.max(0, step - 4);
          continue;
        }
        // Not every step is answered: the next one is.
        if (kills === 0) continue;

        await victim.revive();
        const found = JSON.stringify(await change.look());
        expect((await change.ask()).status).toBeLessThan(300);
        const after = JSON.stringify(await change.look());
        expect(after).not.toBe(JSON.stringify(before));
        expect([JSON.stringify(before), after]).toContain(found);
        outcomes[found === after ? 'after' : 'before'] += 1;
      }
      process.stderr.write(`${verb} ${name}: ${step} steps ${JSON.stringify(outcomes)}\n`);
      expect(step).toBeGreaterThan(1);
      expect(outcomes.before).toBeGreaterThan(0);
      if (victim.sawCommit) expect(outcomes.after).toBeGreaterThan(0);
      const { body } = await cluster.ask<{ audit: { ok: boolean } }>('POST', '/v1/verifications', {
        body: {},
      });
      expect(body.audit).toMatchObject({ ok: true });
      await siteWasServed();
    });
  }
}

async function siteWasServed(): Promise<void> {
  const { failures, answered } = await watch.stop();
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(0);
}

test('the numbers of releases follow one another, although PostgreSQL is killed between them', async () => {
  watch = watchSite(cluster.edges, '/beta');
  const numberOf = (release: string) => Number(release.slice(1));
  const before = numberOf(await cluster.activate({ 'mfe-beta': await publishNew() }));
  for (const kills of [1, 2]) {
    const next = await publishNew();
    cluster.postgres.kill();
    await cluster.postgres.restart();
    await reachable();
    expect(numberOf(await cluster.activate({ 'mfe-beta': next }))).toBe(before + kills);
  }
  await siteWasServed();
});

test('an edge that dies at any step of a rollback comes back with the release that is live', async () => {
  const [victim, ...others] = cluster.edges as [ClusterEdge, ...ClusterEdge[]];
  watch = watchSite(others, '/beta');
  let allKills = 0;
  for (let step = 1; ; step += 1) {
    const change = await changes.rollback();
    let kills = 0;
    cluster.databaseLink.arm(step, () => {
      kills += 1;
      allKills += 1;
      victim.kill();
      return 'pass on';
    });
    expect((await change.ask()).status).toBe(201);
    if (cluster.databaseLink.disarm() < step) break;
    if (kills === 0) continue;
    await victim.start();
    const { state } = await cluster.channel();
    await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, state.stable ?? '')));
  }
  expect(allKills).toBeGreaterThan(1);
  await siteWasServed();
});

test('a composer that dies while it renders refuses the version by name, and the next attempt goes through', async () => {
  watch = watchSite(cluster.edges, '/beta');
  const version = sampleRemote('mfe-beta', ['/beta'], 'a page that thinks', { thinksMs: 1_500 });
  await cluster.upload(version);
  const { version: id } = version.manifest;
  const publish = () =>
    cluster.ask<{ errors: { detail: string }[] }>('POST', '/v1/versions', { body: version.manifest });
  const refused = publish();
  const composers = () => cluster.registry.children();
  while (!composers().some((composer) => cluster.registry.children(composer).length > 0)) await sleep(5);
  for (const composer of composers()) process.kill(composer, 'SIGKILL');
  const { status, body } = await refused;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.errors[0]?.detail).toContain(`mfe-beta@${id}`);
  expect((await cluster.ask('GET', `/v1/apps/mfe-beta/versions/${id}`)).status).toBe(404);

  expect((await publish()).status).toBe(201);
  await siteWasServed();
});
