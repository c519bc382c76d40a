import { bucketAt } from '@site/edge/testing/bucket-at';
import { makeCell } from '@site/registry/testing/signals';
import { isFocused } from '../e2e/harness/keyboard.ts';
import { until } from '../e2e/harness/until.ts';
import { visitors } from '../e2e/harness/visitor.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import {
  act,
  appLine,
  beginRollback,
  editions,
  everyEdge,
  leave,
  phone,
  rollBackByKeyboard,
  signIn,
} from './harness/console-page.ts';
import { edgeThatTells } from './harness/edge-that-tells.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { createStepProxy } from '@site/server/testing/step-proxy';

/**
 * The console in a real browser, against a registry, its database and three edges: actions take effect at the
 * edges.
 */

interface Edition {
  edition: string;
  version: string;
}

let cluster: Cluster;
/** The live edition at the start of a test. */
let live: Edition;
let count = 0;
const newVisitor = visitors();

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

// Resets the previous test: no freeze, no canary, and a new edition live everywhere.
beforeEach(async () => {
  const reason = 'a test begins';
  await cluster.ask('POST', '/v1/channels/production/unfreezes', { body: { reason } });
  const { state } = await cluster.channel();
  if (state.canaries.length > 0)
    await cluster.ask('POST', '/v1/channels/production/aborts', { body: { reason } });
  live = await goLive();
});

/** Publishes another edition of mfe-beta. */
async function publish(): Promise<Edition> {
  const edition = `edition-${(count += 1)}`;
  return { edition, version: await cluster.publish(sampleRemote('mfe-beta', ['/beta'], edition)) };
}

/** Publishes another edition of mfe-beta and activates it at every edge. */
async function goLive(): Promise<Edition> {
  const made = await publish();
  const release = await cluster.activate({ 'mfe-beta': made.version });
  await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, release)));
  return made;
}

const everywhere = ({ edition }: Edition) => cluster.edges.map(() => edition);

/** Each edge's edition for the visitor of this place: of 10,000, a canary of 40 % has those below 4,000. */
async function seenBy(place: number, canary?: string) {
  const id = canary ?? (await cluster.channel()).state.canaries[0]?.release ?? '';
  return editions(cluster, '/beta', `bucket=${bucketAt(place, id)}`);
}

const liveVersion = async () => (await cluster.channel()).release?.apps['mfe-beta'];

test('on a phone, a bad version is gone from every edge three clicks after opening the console', async () => {
  const bad = await goLive();
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster);

  await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back mfe-beta' });
  await dialog.getByText('Visitors see errors', { exact: true }).click();
  await dialog.getByRole('button', { name: `Take ${bad.version} away` }).click();

  await dialog.getByText(everyEdge).waitFor();
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
  // The view below has updated.
  await leave(dialog);
  await appLine(page, 'mfe-beta').getByText(live.version).waitFor();
  expect(visitor.problems()).toEqual([]);
});

test('by keyboard alone a bad version is rolled back, and the focus returns', async () => {
  const bad = await goLive();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/timeline' });
  await rollBackByKeyboard(page, 'mfe-beta', bad.version, async () => {
    await page.getByRole('dialog').getByText(everyEdge).waitFor();
    expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
  });
});

test("a canary goes from 10 % to all visitors, step by step in its app's view", async () => {
  const next = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await page.getByLabel('Version', { exact: true }).selectOption(next.version);
  // The view removes or changes each of these buttons while its dialog is open.
  await act(
    page,
    page.getByRole('button', { name: 'Start with 10 %' }),
    `Show ${next.version} to 10 % of the visitors`,
    {
      reason: 'A new version',
      says: /is shown to 10 % of the visitors\.$/,
      look: (dialog) => dialog.getByText(everyEdge).waitFor(),
    },
  );
  expect((await cluster.channel()).state.canaries).toMatchObject([{ share: 10 }]);
  expect([await seenBy(999), await seenBy(1_000)]).toEqual([everywhere(next), everywhere(live)]);

  await page.getByLabel('Share of visitors').fill('40');
  await act(page, page.getByRole('button', { name: 'Change to 40 %' }), /to 40 %$/, {
    reason: 'It is healthy',
    says: /is shown to 40 % of the visitors\.$/,
    look: (dialog) => dialog.getByText(everyEdge).waitFor(),
  });
  expect((await cluster.channel()).state.canaries).toMatchObject([{ share: 40 }]);
  expect([await seenBy(3_999), await seenBy(4_000)]).toEqual([everywhere(next), everywhere(live)]);

  await act(page, page.getByRole('button', { name: 'Promote' }), /to everyone$/, {
    reason: 'It is healthy',
    says: everyEdge,
  });
  expect((await cluster.channel()).state.canaries).toEqual([]);
  expect(await editions(cluster, '/beta')).toEqual(everywhere(next));
  // The button is gone, so the view gets the focus.
  expect(await isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('a canary with automatic steps shows them, and is gone from the edges after aborting', async () => {
  const next = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await page.getByLabel('Version', { exact: true }).selectOption(next.version);
  await page.getByText('Automatically: 25 %, 50 %, 100 %, every 30 min').click();
  await act(page, page.getByRole('button', { name: 'Start with 10 %' }), /to 10 % of the visitors$/, {
    reason: 'A new version',
    says: everyEdge,
  });
  await page.getByText(/^Then 25 %, 50 %, 100 %, every 30 minutes at the earliest/).waitFor();
  expect(await seenBy(0)).toEqual(everywhere(next));
  await page.keyboard.type('gn');
  const needs = page.getByRole('region', { name: 'Needs a person' });
  await act(page, needs.getByRole('button', { name: 'End it' }), /^End the canary/, {
    reason: 'It is slow',
    says: everyEdge,
  });
  expect((await cluster.channel()).state.canaries).toEqual([]);
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
});

test('a frozen app stays unchanged at the edges until the freeze is lifted, then goes live', async () => {
  const next = await publish();
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await act(page, page.getByRole('button', { name: 'Freeze', exact: true }), 'Freeze mfe-beta', {
    reason: 'An incident',
    says: 'mfe-beta is frozen on production.',
  });
  const makeLive = page.getByRole('button', { name: `Make live ${next.version}` });
  await makeLive.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing was changed.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
  await act(page, page.getByRole('button', { name: 'Lift the freeze' }), /^Lift the freeze/, {
    reason: 'It is fixed',
    says: 'The freeze of mfe-beta is lifted.',
  });
  await act(page, makeLive, `Show ${next.version} to everyone`, { reason: 'A new version', says: everyEdge });
  expect(await editions(cluster, '/beta')).toEqual(everywhere(next));
});

test('a retired app redirects at every edge, and is restored', async () => {
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps' });
  const retiring = page.getByRole('region', { name: 'Take an app off the site' });
  await retiring.getByLabel('App', { exact: true }).selectOption('mfe-beta');
  await retiring.getByLabel('Redirect its paths to').fill('/alpha/more');
  const leave = retiring.getByRole('button', { name: 'Retire mfe-beta' });
  await act(page, leave, 'Take mfe-beta off the site', { reason: 'It is no longer needed', says: everyEdge });
  const answers = await Promise.all(
    cluster.edges.map(({ url }) => fetch(`${url}/beta`, { redirect: 'manual' })),
  );
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    cluster.edges.map(() => [308, '/alpha/more']),
  );
  const back = page.getByRole('button', { name: 'Bring back mfe-beta' });
  await act(page, back, 'Restore mfe-beta on the site', {
    reason: 'It was retired by mistake',
    says: everyEdge,
  });
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
});

test('a bad canary stays at the edges in suggest mode, and is aborted in act mode', async () => {
  const bad = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/freezes' });
  const hold = page.getByRole('region', { name: 'Set a freeze or the guard’s policy' });
  const setTo = async (label: string, mode: string) => {
    await hold.getByLabel('App', { exact: true }).selectOption('mfe-beta');
    await hold.getByLabel('Policy of the guard').selectOption({ label });
    await act(page, hold.getByRole('button', { name: 'Set the guard' }), `Set mfe-beta to ${mode}`, {
      reason: 'An incident',
      says: `The guard may "${mode}" for mfe-beta.`,
    });
  };
  await setTo('Only suggest', 'suggest');
  const release = await cluster.activate({ 'mfe-beta': bad.version }, { share: 50 });
  // From here on its metrics count.
  await page.getByRole('region', { name: 'What the guard is watching' }).getByText(bad.version).waitFor();
  const tell = await edgeThatTells(cluster);
  const told = { app: 'mfe-beta', route: '/beta' };
  await tell({
    cells: [
      makeCell({ ...told, version: bad.version, role: 'canary', views: 200, faults: 150 }),
      makeCell({ ...told, version: live.version, views: 2_000 }),
    ],
  });
  const did = page.getByRole('region', { name: 'Actions of the guard, newest first' });
  await did
    .getByRole('row')
    .filter({ hasText: bad.version })
    .getByRole('cell', { name: 'suggested', exact: true })
    .waitFor();
  expect((await cluster.channel()).state.canaries).toMatchObject([{ release }]);
  expect(await seenBy(0)).toEqual(everywhere(bad));

  await setTo('Act automatically', 'act');
  await did
    .getByRole('row')
    .filter({ hasText: bad.version })
    .getByRole('cell', { name: 'acted', exact: true })
    .waitFor();
  await until(async () => expect(await seenBy(0)).toEqual(everywhere(live)));
});

test('a freeze blocks activations until it is lifted', async () => {
  const { version } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  const tryIt = async () => {
    const body = { apps: { 'mfe-beta': version }, reason: 'a test', dryRun: true };
    return (await cluster.ask('POST', '/v1/channels/production/releases', { body })).status;
  };
  const isRefused = await tryIt();
  await act(page, page.getByRole('button', { name: 'Freeze everything' }), 'Freeze everything', {
    reason: 'An incident',
    says: 'everything is frozen on production.',
  });
  expect([isRefused, await tryIt()]).toEqual([200, 409]);
  const needs = page.getByRole('region', { name: 'Needs a person' });
  await act(page, needs.getByRole('button', { name: 'Lift the freeze' }), /^Lift the freeze/, {
    reason: 'No longer needed',
    says: 'The freeze of everything is lifted.',
  });
  expect(await tryIt()).toBe(200);
});

test('a version is quarantined and allowed again', async () => {
  const { version } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  const quarantined = async () => {
    const { body } = await cluster.ask<{ versions: { version: string; quarantined: object | null }[] }>(
      'GET',
      '/v1/apps/mfe-beta/versions',
    );
    return body.versions.find((each) => each.version === version)?.quarantined;
  };
  await act(page, page.getByRole('button', { name: `Quarantine ${version}` }), `Quarantine ${version}`, {
    reason: 'It must not go live',
    says: `${version} is quarantined.`,
  });
  expect(await quarantined()).toMatchObject({ reason: 'It must not go live' });
  await page.getByRole('button', { name: `Allow again ${version}` }).waitFor();
  expect(await page.getByRole('button', { name: `Make live ${version}` }).count()).toBe(0);
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
  await act(page, page.getByRole('button', { name: `Allow again ${version}` }), `Allow ${version} again`, {
    reason: 'It was not the cause',
    says: `${version} may be activated again.`,
  });
  expect(await quarantined()).toBeNull();
});

test('a preview link is shown once, and shows the version at the edges until revoked', async () => {
  const next = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  let link: URL | undefined;
  await act(page, page.getByRole('button', { name: `Preview ${next.version}` }), 'Create the preview link', {
    says: 'The preview link is created.',
    look: async (dialog) => {
      link = new URL(await dialog.getByRole('textbox', { name: 'Preview link' }).inputValue());
    },
  });
  expect(await page.getByRole('textbox', { name: 'Preview link' }).count()).toBe(0);
  const previewed = () =>
    editions(cluster, '/beta', `__Host-Http-preview=${link?.searchParams.get('id') ?? ''}`);
  expect(await previewed()).toEqual(everywhere(next));
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
  await act(
    page,
    page.getByRole('button', { name: `End it of ${next.version}` }),
    'Revoke the preview link',
    {
      reason: 'The link may have leaked',
      says: 'The preview link is revoked.',
    },
  );
  await until(async () => expect(await previewed()).toEqual(everywhere(live)));
});

test("of two concurrent users the slower one sees the other's change and rolls back nothing else", async () => {
  const bad = await goLive();
  const [one, two] = [await newVisitor(), await newVisitor({ viewport: phone })];
  await signIn(one, cluster);
  await signIn(two, cluster);
  const [first, second] = [
    await beginRollback(one.page, 'mfe-beta'),
    await beginRollback(two.page, 'mfe-beta'),
  ];
  await first.getByRole('button', { name: `Take ${bad.version} away` }).click();
  await first.getByText(everyEdge).waitFor();

  await second.getByText(/^r\d+ went live in the meantime, by .*: It is slow$/).waitFor();
  // It is gone already, so a second rollback has nothing to remove.
  await second.getByText('Nothing was changed.').waitFor();
  expect(await second.getByRole('button', { name: `Take ${bad.version} away` }).count()).toBe(0);
  expect(await liveVersion()).toBe(live.version);
});

test('a concurrent change must be confirmed before the user’s own', async () => {
  const bad = await goLive();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  const dialog = await beginRollback(page, 'mfe-beta');
  const alpha = await cluster.publish(sampleRemote('mfe-alpha', ['/alpha', '/alpha/more'], `alpha-${count}`));
  const release = await cluster.activate({ 'mfe-alpha': alpha }, { reason: 'the launch' });
  await dialog.getByText(new RegExp(`^${release} went live in the meantime, by .*: the launch$`)).waitFor();
  const confirm = dialog.getByRole('button', { name: `Take ${bad.version} away` });
  await confirm.and(page.locator('[aria-disabled="true"]')).click({ force: true });
  expect(await liveVersion()).toBe(bad.version);
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  await confirm.click();
  await dialog.getByText(everyEdge).waitFor();
  expect((await cluster.channel()).release?.apps).toMatchObject({
    'mfe-alpha': alpha,
    'mfe-beta': live.version,
  });
});

test('when the registry is killed, the data stays with its age, and updates resume afterwards', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await appLine(page, 'mfe-beta').getByText(live.version).waitFor();
  cluster.registry.kill();
  try {
    await page.getByText(/^No response since .* This data may be stale\.$/).waitFor();
    expect(await appLine(page, 'mfe-beta').getByText(live.version).count()).toBe(1);
  } finally {
    await cluster.registry.start();
  }
  await until(async () => expect(await page.getByText(/^No response since/).count()).toBe(0));
  const next = await goLive();
  await appLine(page, 'mfe-beta').getByText(next.version).waitFor();
});

test('without the event stream the view polls, is marked stale without responses, and recovers', async () => {
  const proxy = await createStepProxy(Number(new URL(cluster.registry.url).port));
  try {
    const visitor = await newVisitor();
    const { page } = visitor;
    const url = `http://127.0.0.1:${proxy.port}`;
    await signIn(visitor, { ...cluster, registry: { ...cluster.registry, url } });
    await page.getByText('Live', { exact: true }).first().waitFor();
    await appLine(page, 'mfe-beta').getByText(live.version).waitFor();

    proxy.refuse('/v1/channels/production/marks');
    await page.getByText('Checking every 5 s').waitFor();
    const next = await goLive();
    await appLine(page, 'mfe-beta').getByText(next.version).waitFor();
    expect(await page.getByText('Checking every 5 s').count()).toBe(1);

    proxy.cut();
    await page.getByText(/^No response since .* This data may be stale\.$/).waitFor();
    expect(await appLine(page, 'mfe-beta').getByText(next.version).count()).toBe(1);

    proxy.refuse(null);
    proxy.heal();
    await page.getByText('Live', { exact: true }).first().waitFor();
  } finally {
    await proxy.close();
  }
});

test('a change with a lost response is made once, and is not reported before', async () => {
  const bad = await goLive();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  const dialog = await beginRollback(page, 'mfe-beta');
  // The registry makes the change, but the response is lost.
  const keys: (string | undefined)[] = [];
  await page.route('**/v1/channels/production/rollbacks', async (route) => {
    const isDryRun = (route.request().postDataJSON() as { dryRun: boolean }).dryRun;
    if (isDryRun) return route.continue();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  const { release: before } = await cluster.channel();
  await dialog.getByRole('button', { name: `Take ${bad.version} away` }).click();
  await dialog.getByText('It is unknown whether the change was made.').waitFor();
  expect(await dialog.getByText(/is live on production/).count()).toBe(0);
  await dialog.getByText(everyEdge).waitFor();
  expect(keys).toEqual([expect.any(String), keys[0]]);
  const { release: after } = await cluster.channel();
  expect(Number(after?.id.slice(1))).toBe(Number(before?.id.slice(1)) + 1);
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
});

test('offline, a change is not made and reported so, and is made when online again', async () => {
  const bad = await goLive();
  const visitor = await newVisitor();
  const { page, context } = visitor;
  await signIn(visitor, cluster);
  const dialog = await beginRollback(page, 'mfe-beta');
  const confirm = dialog.getByRole('button', { name: `Take ${bad.version} away` });
  await confirm.waitFor();
  await context.setOffline(true);
  await confirm.click();
  await dialog.getByText('It is unknown whether the change was made.').waitFor();
  expect(await liveVersion()).toBe(bad.version);
  await context.setOffline(false);
  await dialog.getByText(everyEdge).waitFor();
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live));
});
