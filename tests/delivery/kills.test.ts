import { randomUUID } from 'node:crypto';
import { startPostgres } from '@site/server/testing/start-postgres';
import { startCluster, type Cluster, type ClusterEdge } from './harness/cluster.ts';
import { changesData, isCommit } from './harness/statements.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import type { StepProxy } from '@site/server/testing/step-proxy';
import { checkPage } from './harness/page-check.ts';
import { reachable, victims } from './harness/victims.ts';
import { until } from '../e2e/harness/until.ts';

/**
 * A registry that loses its database or dies during a change. At any point, the state must be the one before
 * or after the change, and a retry with the same idempotency key must result in the one after.
 * For the database a dying registry is a closed connection, and an open transaction leaves nothing behind: so
 * the connection is cut after every statement, and processes are killed at commits.
 */

let cluster: Cluster;
let editions = 0;

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 2, postgres: await startPostgres(), s3: true });
});
afterAll(() => cluster.stop());

interface Change {
  /** Sends the request. Always with the same key: a retry must not act twice. */
  ask(): Promise<{ status: number }>;
  look(): Promise<unknown>;
}

/** The live release, revoked releases, and their audit entries. */
const live = async () => {
  const { release, state } = await cluster.channel();
  return { apps: release?.apps, revoked: state.revoked, audit: await latestAudit() };
};

async function latestAudit(): Promise<unknown> {
  const { body } = await cluster.askAgain<{ events: object[] }>('GET', '/v1/audit?limit=5');
  return body.events;
}

const newVersion = () => sampleRemote('mfe-beta', ['/beta'], `edition-${(editions += 1)}`);
const publishNew = () => cluster.publish(newVersion());

/** Two alternating versions, so that only publishing renders. */
let turns: Promise<[string, string]> | null = null;
/** @returns the version that is not live, without the quarantine of a rollback. */
async function otherVersion(): Promise<string> {
  turns ??= publishNew().then(async (first) => [first, await publishNew()] as [string, string]);
  const [first, second] = await turns;
  const other = (await cluster.channel()).release?.apps['mfe-beta'] === first ? second : first;
  const lifted = await cluster.askAgain('POST', `/v1/apps/mfe-beta/versions/${other}/unquarantines`, {
    reason: 'a test',
  });
  expect(lifted.status).toBeLessThan(300);
  return other;
}

const changes = {
  async publish() {
    const version = newVersion();
    await cluster.upload(version);
    const { app, version: id } = version.manifest;
    return {
      ask: () => cluster.ask('POST', '/v1/versions', { body: version.manifest }),
      look: async () => {
        const { status } = await cluster.askAgain('GET', `/v1/apps/${app}/versions/${id}`);
        return { status, audit: await latestAudit() };
      },
    };
  },
  async activate() {
    const version = await otherVersion();
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
    const bad = await otherVersion();
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

interface Accident {
  walks: (keyof typeof changes)[];
  /** Whether one of the steps is the commit: then the change exists although the response was lost. */
  sawCommit: boolean;
  /** Where steps are counted. */
  link(): StepProxy;
  isStep(bytes: Buffer): boolean;
  happen(): void;
  /** Waits until the registry works again. */
  recover(): Promise<void>;
}

const verbs = Object.keys(changes) as (keyof typeof changes)[];

const accidents: Record<string, Accident> = {
  'the connection to the database breaks after any statement': {
    walks: verbs,
    sawCommit: true,
    link: () => cluster.databaseLink,
    isStep: changesData,
    happen: () => undefined,
    recover: () => reachable(cluster),
  },
  'the registry dies at a commit': {
    walks: verbs,
    sawCommit: true,
    link: () => cluster.databaseLink,
    isStep: isCommit,
    happen: () => cluster.registry.kill(),
    recover: () => cluster.registry.start(),
  },
  'the registry dies between its writes to the artifacts': {
    walks: ['publish'],
    sawCommit: false,
    link: () => cluster.storeLink!,
    isStep: (bytes) => /^(PUT|POST|DELETE) /.test(bytes.toString('latin1', 0, 8)),
    happen: () => cluster.registry.kill(),
    recover: () => cluster.registry.start(),
  },
  'PostgreSQL dies at a commit': {
    // PostgreSQL itself guarantees committed data; this tests its clients, for one kind of change.
    walks: ['rollback'],
    sawCommit: true,
    link: () => cluster.databaseLink,
    isStep: isCommit,
    happen: () => victims.PostgreSQL(cluster).kill(),
    recover: () => victims.PostgreSQL(cluster).revive(),
  },
};

/** Visitors are served, whatever is down. */
async function siteIsServed(edges = cluster.edges): Promise<void> {
  for (const { id, url } of edges) {
    const { problems } = await checkPage((path) => fetch(url + path), '/beta');
    expect({ id, problems }).toEqual({ id, problems: [] });
  }
}

for (const [name, accident] of Object.entries(accidents)) {
  for (const verb of accident.walks) {
    test(`${verb}: when ${name}, the state is the one before or after`, async () => {
      const link = accident.link();
      let step = 1;
      let again = 0;
      const outcomes = { before: 0, after: 0 };
      for (; ; step += 1) {
        const change: Change = await changes[verb]();
        const before = await change.look();
        let happened = 0;
        link.arm(
          step,
          () => {
            happened += 1;
            accident.happen();
            return 'cut';
          },
          accident.isStep,
        );
        await change.ask().catch(() => null);
        const seen = link.disarm();
        if (seen < step) {
          // A statement of the previous request may have been counted instead of the last one: repeat the
          // end.
          const hasSeenAll = !accident.sawCommit || outcomes.after > 0;
          if (hasSeenAll || (again += 1) > 5) break;
          step = Math.max(0, step - 4);
          continue;
        }
        // Not every step has a response: continue with the next one.
        if (happened === 0) continue;

        await siteIsServed();
        await accident.recover();
        const found = JSON.stringify(await change.look());
        let answer = await change.ask();
        // The pool may hold more connections that are broken than `reachable` has seen.
        await until(async () => {
          if (answer.status === 503) answer = await change.ask();
          expect(answer.status).not.toBe(503);
        });
        expect(answer.status).toBeLessThan(300);
        const after = JSON.stringify(await change.look());
        expect(after).not.toBe(JSON.stringify(before));
        expect([JSON.stringify(before), after]).toContain(found);
        outcomes[found === after ? 'after' : 'before'] += 1;
      }
      expect(step).toBeGreaterThan(1);
      expect(outcomes.before).toBeGreaterThan(0);
      if (accident.sawCommit) expect(outcomes.after).toBeGreaterThan(0);
      const { body } = await cluster.ask<{ audit: { ok: boolean } }>('POST', '/v1/verifications', {
        body: {},
      });
      expect(body.audit).toMatchObject({ ok: true });
    });
  }
}

test('release numbers have no gaps, although PostgreSQL is killed in between', async () => {
  const releaseNumber = (release: string) => Number(release.slice(1));
  const before = releaseNumber(await cluster.activate({ 'mfe-beta': await publishNew() }));
  for (const kills of [1, 2]) {
    const next = await publishNew();
    victims.PostgreSQL(cluster).kill();
    await siteIsServed();
    await victims.PostgreSQL(cluster).revive();
    expect(releaseNumber(await cluster.activate({ 'mfe-beta': next }))).toBe(before + kills);
  }
});

test('an edge that dies before or after a rollback is committed restarts with the live release', async () => {
  const [victim, ...others] = cluster.edges as [ClusterEdge, ...ClusterEdge[]];
  let allKills = 0;
  for (let step = 1; ; step += 1) {
    const change = await changes.rollback();
    let kills = 0;
    cluster.databaseLink.arm(
      step,
      () => {
        kills += 1;
        allKills += 1;
        victim.kill();
        return 'pass on';
      },
      isCommit,
    );
    expect((await change.ask()).status).toBe(201);
    if (cluster.databaseLink.disarm() < step) break;
    if (kills === 0) continue;
    await siteIsServed(others);
    await victim.start();
    const { state } = await cluster.channel();
    await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, state.live ?? '')));
  }
  expect(allKills).toBeGreaterThan(1);
});

test('a composer that dies while rendering rejects the version by name, and a retry succeeds', async () => {
  const version = sampleRemote('mfe-beta', ['/beta'], 'a page that thinks', { thinksMs: 1_500 });
  await cluster.upload(version);
  const { version: id } = version.manifest;
  const publish = () =>
    cluster.ask<{ errors: { detail: string }[] }>('POST', '/v1/versions', { body: version.manifest });
  const refused = publish();
  const composers = () => cluster.registry.children();
  await until(() => composers().some((composer) => cluster.registry.children(composer).length > 0));
  for (const composer of composers()) process.kill(composer, 'SIGKILL');
  await siteIsServed();
  const { status, body } = await refused;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.errors[0]?.detail).toContain(`mfe-beta@${id}`);
  expect((await cluster.ask('GET', `/v1/apps/mfe-beta/versions/${id}`)).status).toBe(404);

  expect((await publish()).status).toBe(201);
});
