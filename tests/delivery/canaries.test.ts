import { seesCanary } from '@site/edge/releases/bucket';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { createCrowd, type Crowd } from './harness/crowd.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { waitFor } from '@site/server/testing/wait-for';

/** Ten apps with a canary each, on real processes. The tests depend on each other. */

const APPS = Array.from({ length: 10 }, (_, index) => `mfe-app${index}`);
const SHARE = 50;
const BUCKETS_SEEN = [0, 1_234, 5_000, 9_999];
const CHANNEL = '/v1/channels/production';

let cluster: Cluster;
let crowd: Crowd;
/** The running canaries, and the edition that everyone else gets. */
const canaries = new Map<string, string>();
const live = new Map(APPS.map((app) => [app, 'one']));

const path = (app: string) => `/${app.slice(4)}`;
const remote = (app: string, edition: string) => sampleRemote(app, [path(app)], edition);

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 2, s3: false });
  crowd = createCrowd();
  const versions: Record<string, string> = {};
  for (const app of APPS) versions[app] = await cluster.publish(remote(app, 'one'));
  await cluster.activate(versions);
});
afterAll(async () => {
  crowd.close();
  await cluster.stop();
});

async function change(what: string, body: object): Promise<string> {
  const answer = await cluster.askAgain<{ release: { id: string } }>('POST', `${CHANNEL}/${what}`, {
    reason: 'a test',
    ...body,
  });
  expect({ what, body: answer.body, ok: isDone(answer.status) }).toMatchObject({ ok: true });
  return answer.body.release.id;
}
const isDone = (status: number) => status === 200 || status === 201;

/** Each visitor gets, on each edge and page, the canary's edition exactly if the visitor is in that canary. */
async function everyoneSeesTheirs(): Promise<void> {
  const expected: string[] = [];
  const seen: string[] = [];
  for (const { id, url } of cluster.edges)
    for (const bucket of BUCKETS_SEEN)
      for (const app of APPS) {
        const release = canaries.get(app);
        const isInside = release !== undefined && seesCanary(bucket, { release, share: SHARE });
        expected.push(`${id} ${bucket} ${app} ${isInside ? 'two' : live.get(app)}`);
        const { edition } = await crowd.visit(url + path(app), bucket);
        seen.push(`${id} ${bucket} ${app} ${edition}`);
      }
  expect(seen).toEqual(expected);
}

test('ten canaries of different apps run at the same time, each for its own visitors', async () => {
  for (const app of APPS) {
    const version = await cluster.publish(remote(app, 'two'));
    canaries.set(app, await change('releases', { apps: { [app]: version }, share: SHARE }));
  }
  expect((await cluster.channel()).state.canaries).toHaveLength(10);
  await waitFor(everyoneSeesTheirs);
});

test('a promotion, an abort and a release and rollback of another app leave the other canaries', async () => {
  await change('promotions', { app: 'mfe-app0' });
  live.set('mfe-app0', 'two');
  await change('aborts', { app: 'mfe-app1' });
  for (const app of ['mfe-app0', 'mfe-app1']) canaries.delete(app);
  await waitFor(everyoneSeesTheirs);
  const three = await cluster.publish(remote('mfe-app0', 'three'));
  await change('releases', { apps: { 'mfe-app0': three } });
  live.set('mfe-app0', 'three');
  await waitFor(everyoneSeesTheirs);
  await change('rollbacks', { app: 'mfe-app0' });
  live.set('mfe-app0', 'two');
  await waitFor(everyoneSeesTheirs);
  expect((await cluster.channel()).state.canaries.map(({ release }) => release)).toEqual([
    ...canaries.values(),
  ]);
});

test('a killed registry changes nothing for visitors, and continues with the same canaries', async () => {
  cluster.registry.kill();
  await everyoneSeesTheirs();
  await cluster.registry.start();
  await everyoneSeesTheirs();
  await change('aborts', { app: 'mfe-app2' });
  canaries.delete('mfe-app2');
  await waitFor(everyoneSeesTheirs);
});
