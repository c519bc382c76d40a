import type { AlertHookMade, AlertHooks } from '@site/contract/registry-calls/alert.calls';
import { makeCell } from '@site/registry/testing/signals';
import { startAlertReceiver, type AlertReceiver } from '@site/registry/testing/alert-receiver';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { makeEdgeToken } from './harness/edge-token.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { until } from '../e2e/harness/until.ts';

/** A registry that dies between delivering an alert and recording the delivery. */

const EDGE = 'edge-that-counts';
let cluster: Cluster;
let receiver: AlertReceiver;

beforeAll(async () => {
  [cluster, receiver] = await Promise.all([startCluster({ edgeCount: 1 }), startAlertReceiver()]);
});
afterAll(async () => {
  await receiver.stop();
  await cluster.stop();
});

const hooks = async () => (await cluster.askAgain<AlertHooks>('GET', '/v1/alert-hooks')).body.hooks;

test('an alert is delivered at least once with one id, even if the registry dies before it records the delivery', async () => {
  const body = { url: receiver.url, kinds: ['acted'] };
  const hook = await cluster.askAgain<AlertHookMade>('POST', '/v1/alert-hooks', body);
  expect(hook.status).toBe(201);
  receiver.onArrival = () => {
    if (receiver.received.length === 1) cluster.registry.kill();
    return Promise.resolve();
  };

  const { 'mfe-beta': live = '' } = (await cluster.channel()).release?.apps ?? {};
  const bad = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'bad'));
  const release = await cluster.activate({ 'mfe-beta': bad }, { share: 10 });
  const isWatched = async () =>
    (
      await cluster.askAgain<{ judgements: { version: string }[] }>('GET', '/v1/channels/production/guard')
    ).body.judgements.some(({ version }) => version === bad);
  await until(isWatched);
  await cluster.ask('POST', `/v1/edges/${EDGE}/signals`, {
    as: await makeEdgeToken(cluster.registry.url, cluster.tokens.ops, EDGE),
    body: {
      boot: '00000000-0000-4000-8000-000000000001',
      sequence: 1,
      at: new Date().toISOString(),
      channel: 'production',
      cells: [
        makeCell({ app: 'mfe-beta', version: bad, route: '/beta', role: 'canary', views: 200, faults: 150 }),
        makeCell({ app: 'mfe-beta', version: live, route: '/beta', views: 2000 }),
      ],
      faults: [],
    },
  });
  await until(() => expect(receiver.received).not.toEqual([]));
  await cluster.registry.start();
  expect(await hooks()).toMatchObject([{ waiting: 1 }]);
  // The lease of the killed registry expires.
  await until(async () => expect(await hooks()).toMatchObject([{ waiting: 0 }]));
  expect(receiver.received).toHaveLength(2);
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.text).toBe(first?.text);
  expect(first?.body).toMatchObject({
    type: 'alert.acted',
    data: { subject: `mfe-beta@${bad}`, text: expect.stringContaining(`(${release})`) as string },
  });
});
