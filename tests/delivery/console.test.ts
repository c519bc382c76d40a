import { until } from '../e2e/harness/until.ts';
import { visitors } from '../e2e/harness/visitor.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { act, appLine, editions, phone, signIn } from './harness/console-page.ts';
import { sampleRemote } from './harness/sample-apps.ts';

/** The console in a real browser, against a registry, its database and three edges: what is pressed there is so at the edges. */

let cluster: Cluster;
let count = 0;
const newVisitor = visitors();

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

/** Publishes another edition of mfe-beta. */
async function publish(): Promise<{ edition: string; version: string }> {
  const edition = `edition-${(count += 1)}`;
  return { edition, version: await cluster.publish(sampleRemote('mfe-beta', ['/beta'], edition)) };
}

/** Publishes another edition of mfe-beta, and makes it live at every edge. */
async function goLive() {
  const made = await publish();
  const release = await cluster.activate({ 'mfe-beta': made.version });
  await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, release)));
  return { ...made, release };
}

const everywhere = (edition: string) => cluster.edges.map(() => edition);

test('on a phone, three presses after opening the console a bad version is gone from every edge', async () => {
  const before = await goLive();
  const bad = await goLive();
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster);

  await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back mfe-beta' });
  await dialog.getByText('Visitors see errors').click();
  await dialog.getByRole('button', { name: `Take ${bad.version} away` }).click();

  await dialog.getByText(/^Every edge that answers \(3\) serves it after \d+\.\d s\.$/).waitFor();
  expect(await editions(cluster, '/beta')).toEqual(everywhere(before.edition));
  // The view below follows by itself.
  await appLine(page, 'mfe-beta').getByText(before.version).waitFor();
  expect(visitor.problems()).toEqual([]);
});

test('a canary goes from 10 % to more and to everyone, step by step from the view of its app', async () => {
  const { version } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await page.getByLabel('Version', { exact: true }).selectOption(version);
  const started = await act(
    page,
    page.getByRole('button', { name: 'Start with 10 %' }),
    `Show ${version} to 10 % of the visitors`,
    'A new version',
  );
  expect(started).toContain('is seen by 10 % of the visitors');
  expect((await cluster.channel()).state.canary).toMatchObject({ share: 10 });
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1).click();

  await page.getByLabel('Share of the visitors').fill('40');
  await act(page, page.getByRole('button', { name: 'Change to 40 %' }), /to 40 %/, 'It is healthy');
  expect((await cluster.channel()).state.canary).toMatchObject({ share: 40 });
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1).click();

  await act(page, page.getByRole('button', { name: 'Promote' }), /to everyone/, 'It is healthy');
  await page.getByText(/^Every edge that answers \(3\)/).waitFor();
  expect(await editions(cluster, '/beta')).toEqual(everywhere(`edition-${count}`));
  expect(visitor.problems()).toEqual([]);
});

test('a canary that is ended is gone from the edges', async () => {
  const live = await goLive();
  const { version } = await publish();
  await cluster.activate({ 'mfe-beta': version }, { share: 50 });
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  const needs = page.getByRole('region', { name: 'Needs a person' });
  await act(page, needs.getByRole('button', { name: 'End it' }), /^End the canary/, 'It is slow');
  await page.getByText(/^Every edge that answers \(3\)/).waitFor();
  expect((await cluster.channel()).state.canary).toBeNull();
  expect(await editions(cluster, '/beta')).toEqual(everywhere(live.edition));
});

test('a freeze keeps versions from going live until it is lifted', async () => {
  const { version } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  await act(
    page,
    page.getByRole('button', { name: 'Freeze everything' }),
    'Freeze everything',
    'An incident',
  );
  const activate = (path = '/v1/channels/production/releases') =>
    cluster.ask('POST', path, { body: { apps: { 'mfe-beta': version }, reason: 'a test', dryRun: true } });
  expect((await activate()).status).toBe(409);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1).click();
  await act(
    page,
    page.getByRole('button', { name: 'Lift the freeze' }).first(),
    /^Lift the freeze/,
    'It is over',
  );
  expect((await activate()).status).toBe(201);
});

test('a version is quarantined, and allowed again', async () => {
  const { version } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  const quarantined = async () => {
    const { body } = await cluster.ask<{ versions: { version: string; quarantined: object | null }[] }>(
      'GET',
      '/v1/apps/mfe-beta/versions',
    );
    return body.versions.find((each) => each.version === version)?.quarantined ?? null;
  };
  await act(
    page,
    page.getByRole('button', { name: `Quarantine ${version}` }),
    `Quarantine ${version}`,
    'It must not go live',
  );
  expect(await quarantined()).toMatchObject({ reason: 'It must not go live' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1).click();
  await act(
    page,
    page.getByRole('button', { name: `Allow again ${version}` }),
    `Allow ${version} again`,
    'It was not the cause',
  );
  expect(await quarantined()).toBeNull();
});

test('a preview link is shown once, and opens the version at an edge', async () => {
  const { version, edition } = await publish();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await act(page, page.getByRole('button', { name: `Preview ${version}` }), 'Make the preview link');
  const link = new URL(await page.getByLabel('Preview link').inputValue());
  const opened = await fetch(`${cluster.edges[0]?.url}/beta`, {
    headers: { cookie: `__Host-preview=${link.searchParams.get('id') ?? ''}` },
  });
  expect(await opened.text()).toContain(`data-edition="${edition}"`);
});

test('what somebody else changed meanwhile is shown before the own change, which then takes nothing else away', async () => {
  const first = await goLive();
  const bad = await goLive();
  const [one, two] = [await newVisitor(), await newVisitor({ viewport: phone })];
  await signIn(one, cluster);
  await signIn(two, cluster);
  for (const { page } of [one, two]) {
    await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByText('It is slow', { exact: true }).click();
  }
  await one.page
    .getByRole('dialog')
    .getByRole('button', { name: `Take ${bad.version} away` })
    .click();
  await one.page.getByText(/^Every edge that answers/).waitFor();

  const dialog = two.page.getByRole('dialog');
  await dialog.getByText(/went live meanwhile, by .*: It is slow/).waitFor();
  // It is gone already: there is nothing that a second rollback could take.
  await dialog.getByText('Nothing was changed.').waitFor();
  expect((await cluster.channel()).release?.apps['mfe-beta']).toBe(first.version);
});

test('a registry that is killed leaves what was read, says since when it may be old, and is followed again', async () => {
  await goLive();
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  await page.getByText('Live', { exact: true }).first().waitFor();
  cluster.registry.kill();
  await page.getByText(/^No answer since .* What you see may be old\.$/).waitFor();
  expect(await appLine(page, 'mfe-beta').count()).toBe(1);
  await cluster.registry.start();
  await until(async () => expect(await page.getByText(/^No answer since/).count()).toBe(0));
  const next = await goLive();
  await appLine(page, 'mfe-beta').getByText(next.version).waitFor();
});

test('an order whose answer is lost is made once, and nothing says it is made before', async () => {
  await goLive();
  const bad = await goLive();
  const visitor = await newVisitor();
  const { page, context } = visitor;
  await signIn(visitor, cluster);
  await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It is slow', { exact: true }).click();
  // The registry makes the change; its answer does not arrive.
  const keys: (string | undefined)[] = [];
  await page.route('**/v1/channels/production/rollbacks', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await dialog.getByRole('button', { name: `Take ${bad.version} away` }).click();
  await dialog.getByText('It is not known whether the change was made.').waitFor();
  await dialog.getByText(/^Every edge that answers/).waitFor();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);

  // Without network the button that was pressed stays an order that is not made.
  const again = await goLive();
  await dialog.getByRole('button', { name: 'Close', exact: true }).nth(1).click();
  await appLine(page, 'mfe-beta').getByText(again.version).waitFor();
  await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
  await dialog.getByText('It is slow', { exact: true }).click();
  await context.setOffline(true);
  await dialog.getByRole('button', { name: `Take ${again.version} away` }).click();
  await dialog.getByText('It is not known whether the change was made.').waitFor();
  expect((await cluster.channel()).release?.apps['mfe-beta']).toBe(again.version);
  await context.setOffline(false);
  await dialog.getByText(/^Every edge that answers/).waitFor();
  expect((await cluster.channel()).release?.apps['mfe-beta']).not.toBe(again.version);
});
