import { seesCanary } from '@site/edge/releases/bucket';
import { bucketAt } from '@site/edge/testing/bucket-at';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKETS } from '@site/contract';
import { samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { createCrowd, type Crowd, type Visit } from './harness/crowd.ts';
import { sampleRemote } from './harness/sample-apps.ts';

/**
 * Every edge follows changes by ops and teams, with real processes: PostgreSQL, an S3 server, a registry,
 * three edges and their reverse proxy. `npm run bench:delivery` measures and limits the delay; here the
 * changes only have to arrive. The tests depend on each other.
 */

/** Every tenth place in the canary's order. `bucket.test.ts` covers each single one. */
const VISITORS = BUCKETS / 10;
const visitorPlace = (visitor: number) => visitor * 10;
const ROLLBACKS = 10;
/** Far above the expected delay. */
const FOLLOWS_WITHIN_MS = 30_000;
const CHANNEL = '/v1/channels/production';

let cluster: Cluster;
let crowd: Crowd;

beforeAll(async () => {
  cluster = await startCluster();
  crowd = createCrowd();
});
afterAll(async () => {
  crowd.close();
  await cluster.stop();
});

const publishAlpha = (edition: string) =>
  cluster.publish(sampleRemote('mfe-alpha', samplePaths['mfe-alpha']!, edition));
const publishBeta = (edition: string) =>
  cluster.publish(sampleRemote('mfe-beta', samplePaths['mfe-beta']!, edition));

/** Changes the channel. @returns the new release. */
async function change(path: string, body: object): Promise<string> {
  const answer = await cluster.ask<{ release: { id: string } }>('POST', `${CHANNEL}${path}`, {
    body: { reason: 'a test', ...body },
  });
  expect({ path, ok: [200, 201].includes(answer.status), body: answer.body }).toMatchObject({ ok: true });
  return answer.body.release.id;
}

/** Waits until every edge serves a release without a cookie, or a canary to the visitor of a place. */
async function everywhere(release: string, place?: number): Promise<void> {
  await Promise.all(
    cluster.edges.map(async ({ id, url }) => {
      const headers = place === undefined ? {} : { cookie: `bucket=${bucketAt(place, release)}` };
      const deadline = performance.now() + FOLLOWS_WITHIN_MS;
      for (;;) {
        const answer = (await (await fetch(`${url}/__site/state`, { headers })).json()) as {
          release: string;
        };
        if (answer.release.split('.').includes(release)) return;
        if (performance.now() > deadline) throw new Error(`${id} serves ${answer.release}, not ${release}.`);
        await sleep(10);
      }
    }),
  );
}

/** The page of each edge. */
const editions = (path: string) =>
  Promise.all(cluster.edges.map(async ({ url }) => (await crowd.visit(url + path, null)).edition));

test('a new release of one remote reaches every edge without changing the other', async () => {
  const two = await publishBeta('two');
  await everywhere(await change('/releases', { apps: { 'mfe-beta': two } }));
  expect(await editions('/beta')).toEqual(['two', 'two', 'two']);
  expect(await editions('/alpha')).toEqual(['one', 'one', 'one']);
});

describe('a canary, raised step by step and promoted', () => {
  const path = '/alpha';
  /** Each visitor's last edition. */
  let seen: (string | undefined)[] = [];
  let canary: string;

  /** All visitors request a page, each time from another edge, as behind a load balancer. */
  let round = 0;
  async function everyoneComes(): Promise<(string | undefined)[]> {
    round += 1;
    const visits = await crowd.visits(VISITORS, (visitor) => {
      const address = cluster.addresses[(visitor + round) % cluster.addresses.length]!;
      return crowd.visit(address + path, bucketAt(visitorPlace(visitor), canary));
    });
    expect(visits.filter(({ status }) => status !== 200)).toEqual([]);
    return visits.map(({ edition }) => edition);
  }
  const share = (found: (string | undefined)[]) =>
    (100 * found.filter((edition) => edition === 'two').length) / found.length;
  /** Every edge's edition for the visitor of a place. */
  const readEditions = (place: number) =>
    Promise.all(
      cluster.edges.map(async ({ url }) => (await crowd.visit(url + path, bucketAt(place, canary))).edition),
    );
  const wentBack = (before: (string | undefined)[], after: (string | undefined)[]) =>
    before.flatMap((edition, visitor) => (edition === 'two' && after[visitor] !== 'two' ? [visitor] : []));

  test('10 % of 1,000 visitors see it on any edge', async () => {
    const two = await publishAlpha('two');
    canary = await change('/releases', { apps: { 'mfe-alpha': two }, share: 10 });
    await everywhere(canary, 0);
    seen = await everyoneComes();
    expect(share(seen)).toBe(10); // Exact.
    expect(await everyoneComes()).toEqual(seen); // The same visitors, each on another edge.
    expect(await readEditions(BUCKETS / 10 - 1)).toEqual(['two', 'two', 'two']);
    expect(await readEditions(BUCKETS / 10)).toEqual(['one', 'one', 'one']);
  });

  test('a new visitor gets a random bucket, and its edition', async () => {
    const visits = await crowd.visits<Visit>(300, (visitor) =>
      crowd.visit(cluster.addresses[visitor % cluster.addresses.length]! + path, null),
    );
    for (const { edition, bucket, cookies } of visits) {
      expect(cookies).toEqual([
        expect.stringMatching(/^bucket=\d{1,4}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
      expect(edition).toBe(seesCanary(bucket!, { release: canary, share: 10 }) ? 'two' : 'one');
    }
    expect(new Set(visits.map(({ bucket }) => bucket)).size).toBeGreaterThan(200);
  });

  test('raised to 50 %, no visitor loses it, and half of the visitors see it', async () => {
    await change('/canary', { share: 50 });
    await everywhere(canary, BUCKETS / 2 - 1);
    const now = await everyoneComes();
    expect(share(now)).toBe(50);
    expect(wentBack(seen, now)).toEqual([]);
    seen = now;
  });

  test('promoted, all visitors see it, and buckets are no longer assigned', async () => {
    await everywhere(await change('/promotions', {}));
    const now = await everyoneComes();
    expect(share(now)).toBe(100);
    expect((await crowd.visit(cluster.edges[0]!.url + path, null)).cookies).toEqual([]);
  });

  test('aborted, no visitor sees it, and no edge serves it', async () => {
    const three = await publishAlpha('three');
    const aborted = await change('/releases', { apps: { 'mfe-alpha': three }, share: 50 });
    await everywhere(aborted, 0);
    await change('/aborts', { quarantine: true });
    const { state } = await cluster.channel();
    expect(state).toMatchObject({ canaries: [], revoked: expect.arrayContaining([aborted]) as string[] });
    await everywhere(state.live!, 0);
    expect(await editions(path)).toEqual(['two', 'two', 'two']);
  });
});

describe('rollbacks of one remote', () => {
  test('each reaches every edge, removes the bad version and does not affect the other remote', async () => {
    const bad = await crowd.visits(ROLLBACKS, (index) => publishBeta(`bad ${index}`));
    for (const [index, version] of bad.entries()) {
      await everywhere(await change('/releases', { apps: { 'mfe-beta': version } }));
      expect(await editions('/beta')).toEqual(cluster.edges.map(() => `bad ${index}`));
      await everywhere(await change('/rollbacks', { app: 'mfe-beta' }));
      expect(await editions('/beta')).toEqual(['two', 'two', 'two']);
    }
    expect(await editions('/alpha')).toEqual(['two', 'two', 'two']);
    const back = await cluster.ask<{ errors: { code: string }[] }>('POST', `${CHANNEL}/releases`, {
      body: { apps: { 'mfe-beta': bad[0]! }, reason: 'by mistake' },
    });
    expect(back).toMatchObject({ status: 409, body: { errors: [{ code: 'version_quarantined' }] } });
  });

  test('an edge without notifications follows by polling, and by notifications when they work again', async () => {
    const deaf = cluster.edges[2]!;
    deaf.link.refuse(`${CHANNEL}/events`);
    const refusals = deaf.link.refusals();
    for (let index = 0; index < 5; index += 1) {
      const version = await publishBeta(`unheard ${index}`);
      await everywhere(await change('/releases', { apps: { 'mfe-beta': version } }));
      await everywhere(await change('/rollbacks', { app: 'mfe-beta' }));
      expect(await editions('/beta')).toEqual(['two', 'two', 'two']);
    }
    // It kept trying to listen.
    expect(deaf.link.refusals()).toBeGreaterThan(refusals);
    deaf.link.refuse(null);
    await everywhere(await change('/releases', { apps: { 'mfe-beta': await publishBeta('heard') } }));
    expect(await editions('/beta')).toEqual(['heard', 'heard', 'heard']);
  });

  test('a registry that lost its database connection notifies the edges of the next change', async () => {
    const before = await editions('/beta');
    const version = await publishBeta('last');
    await everywhere(await change('/releases', { apps: { 'mfe-beta': version } }));
    cluster.databaseLink.cut();
    cluster.databaseLink.heal();
    const { status, body } = await cluster.askAgain<{ release: { id: string } }>(
      'POST',
      `${CHANNEL}/rollbacks`,
      {
        app: 'mfe-beta',
        reason: 'a test',
      },
    );
    expect(status).toBe(201);
    await everywhere(body.release.id);
    expect(await editions('/beta')).toEqual(before);
  });
});
