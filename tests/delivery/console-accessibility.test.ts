import type { Locator, Page } from 'playwright-core';
import { formSources } from '@site/contract';
import { startForms } from '@site/forms/start';
import type { FormsTables } from '@site/forms/kernel/tables';
import { storedSubmission } from '@site/forms/testing/stored-submission';
import { createToken } from '@site/server/secrets';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { RunningServer } from '@site/server/start-server';
import { FAULT_TEXT_LENGTH } from '@site/contract/signals/fault-message';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import { makeCell } from '@site/registry/testing/signals';
import { violationsIn } from '../e2e/harness/axe.ts';
import { findSpacingProblems } from '../e2e/harness/text-spacing.ts';
import { visitors } from '../e2e/harness/visitor.ts';
import { edgeThatTells } from './harness/edge-that-tells.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import {
  appLine,
  beginRollback,
  desktop,
  phone,
  rollBackByKeyboard,
  signIn,
} from './harness/console-page.ts';
import { sampleRemote } from './harness/sample-apps.ts';

/** The accessibility of every view of the console: axe, keyboard, a narrow phone, and hostile texts. */

let cluster: Cluster;
let old: string;
let live: string;
/** Published but not live, because of a freeze. */
let waiting: string;
const newVisitor = visitors();

const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}';
/** The longest possible fault text, without a break opportunity. */
const endless = 'W'.repeat(FAULT_TEXT_LENGTH);
/** The longest possible token name. */
const longName = 'Ш'.repeat(60);

const inboxToken = createToken();
let formsDatabase: TestDatabase;
let forms: RunningServer;

/** A form's submissions, the first of them hostile. */
async function startFormsService(): Promise<void> {
  formsDatabase = await startDatabase();
  forms = await startForms({
    port: 0,
    host: '127.0.0.1',
    database: formsDatabase.database,
    config: { jwksUrl: 'http://127.0.0.1:1/jwks.json', inboxToken },
  });
  const { database } = formsDatabase;
  await database
    .schema<FormsTables>('forms')
    .insertInto('subscriptions')
    .values(
      [hostile, endless].map((text, index) =>
        storedSubmission({
          email: `${index === 0 ? 'harm' : 'w'.repeat(200)}@example.com`,
          source_id: formSources['partner-application'],
          form_fields: JSON.stringify({ first_name: text, message: `${text}\n\u202egpj.exe` }),
          created_at: new Date(Date.now() - index * 60_000),
        }),
      ),
    )
    .execute();
}

beforeAll(async () => {
  await startFormsService();
  cluster = await startCluster({ edgeCount: 1, inbox: { url: forms.url, token: inboxToken } });
  old = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'old'));
  await cluster.activate({ 'mfe-beta': old }, { reason: hostile });
  live = await cluster.publish(sampleRemote('mfe-beta', ['/beta', '/beta/new'], 'new'));
  await cluster.activate({ 'mfe-beta': live }, { reason: hostile });
  const canary = await cluster.publish(sampleRemote('mfe-alpha', ['/alpha', '/alpha/more'], 'two'));
  await cluster.activate({ 'mfe-alpha': canary }, { share: 10, reason: hostile });
  await cluster.ask('POST', '/v1/channels/production/freezes', {
    body: { app: 'mfe-beta', reason: hostile },
  });
  await cluster.ask('POST', `/v1/apps/mfe-beta/versions/${old}/quarantines`, { body: { reason: hostile } });
  waiting = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'waiting'));
  await cluster.ask('POST', '/v1/tokens', { body: { name: longName, scopes: ['read'] } });
  await tellSignals([
    { message: hostile },
    { message: endless, file: `/assets/mfe-beta/${endless.slice(0, 150)}` },
    { message: 'خطأ غير متوقع في الصفحة' },
  ]);
});

/** Reports page views and browser faults to the registry, like an edge. */
async function tellSignals(told: Pick<FaultSum, 'message' | 'file'>[]): Promise<void> {
  const tell = await edgeThatTells(cluster);
  const of = { app: 'mfe-beta', version: live, route: '/beta' };
  await tell({
    cells: [
      makeCell({ ...of, views: 40, faults: 1, formsSent: 2, lcp: [[120, 40]] }),
      makeCell({ ...of, version: old, views: 9 }),
    ],
    faults: told.map((each) => ({
      ...of,
      kind: 'error',
      line: 1,
      column: 1,
      count: 1,
      browsers: {},
      ...each,
    })),
  });
}

afterAll(async () => {
  await cluster.stop();
  await forms.close();
  await formsDatabase.stop();
});

const inboxPath = '/inbox?form=partner-application';

/** Waits for the charts of a remote, and opens their table. */
async function openCharts(page: Page): Promise<void> {
  const charts = page.getByRole('img', { name: /: see the table below for the numbers$/ });
  await charts.first().waitFor();
  expect(await charts.count()).toBe(3);
  await page.getByText('Show as a table').click();
  await page.getByRole('region', { name: 'Health over time' }).getByText(live).waitFor();
}

const nothing = () => Promise.resolve();

/** Name, path and preparation of each view. */
const views: [string, () => string, (page: Page) => Promise<void>][] = [
  ['Now', () => '', nothing],
  ['a remote with its charts', () => '/apps/mfe-beta', openCharts],
  ['two versions', () => `/apps/mfe-beta/compare/${old}/${live}`, nothing],
  ['the timeline', () => '/timeline', nothing],
  ['the difference of two releases', () => '/timeline/r1/r3', nothing],
  ['the faults', () => '/faults', nothing],
  ['the forms', () => '/forms', nothing],
  ['the inbox', () => inboxPath, nothing],
  ['freezes and guard', () => '/freezes', nothing],
  ['the audit log', () => '/audit', nothing],
  ['the tokens', () => '/tokens', nothing],
  ['the apps', () => '/apps', nothing],
];

/** All rules of axe-core except experimental and obsolete ones; its default excludes more. */
const rules = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** axe-core's findings in both themes and at both widths. */
async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const each = await violationsIn(page, { rules });
      found.push(...each.map((problem) => `${colorScheme} ${size.width}: ${problem}`));
    }
  }
  return found;
}

/** Whether something is wider than a narrow phone. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Tables that scroll horizontally. */
const sideways = (page: Page) =>
  page.getByRole('region').evaluateAll((regions) =>
    regions
      // Parts of a view are regions that do not scroll.
      .filter((region) => getComputedStyle(region).overflowX !== 'visible')
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((region) => region.getAttribute('aria-label')),
  );

test.each(views)(
  '%s has no violation, fits a phone, and shows foreign texts as text',
  async (_name, path, prepare) => {
    const visitor = await newVisitor({ viewport: phone });
    const { page } = visitor;
    await signIn(visitor, cluster, { path: path() });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByText(/^Reading /)
      .first()
      .waitFor({ state: 'detached' });
    await prepare(page);
    expect(await overflow(page)).toBe(0);
    expect(await sideways(page)).toEqual([]);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    const found = {};
    await findSpacingProblems(page, path(), found);
    expect(found).toEqual({});
    expect(visitor.problems()).toEqual([]);
  },
);

test('the sign-in, the search, the help and an unconfirmed action have no violation', async () => {
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await page.goto(`${cluster.registry.url}/console`);
  await page.getByLabel('Token').waitFor();
  expect(await violations(page)).toEqual([]);
  await signIn(visitor, cluster);
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('beta');
  await page.getByRole('dialog').getByRole('link', { name: 'mfe-beta', exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('button', { name: `Take ${live} away` }).waitFor();
  expect(await violations(page)).toEqual([]);
});

/** Opens the rollback of mfe-beta, ready to confirm. */
async function readyToRollBack(page: Page): Promise<Locator> {
  const dialog = await beginRollback(page, 'mfe-beta');
  await dialog.getByRole('button', { name: `Take ${live} away` }).waitFor();
  return dialog;
}

/** The numbers of submissions from the registry. */
async function counts(as: string): Promise<object | undefined> {
  const { body } = await cluster.ask<{ forms: { form: string }[] }>('GET', '/v1/inbox', { as });
  return body.forms.find(({ form }) => form === 'partner-application');
}

test('reading and marking a submission in the inbox has no violation', async () => {
  const { body } = await cluster.ask<{ token: string }>('POST', '/v1/tokens', {
    body: { name: 'a person who answers', scopes: ['inbox'] },
  });
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster, { token: body.token, path: inboxPath });
  const list = page.getByRole('region', { name: 'Submissions, newest first' });
  for (const text of [hostile, endless]) {
    await list
      .getByRole('row')
      .nth(text === hostile ? 1 : 2)
      .getByRole('button', { name: /^Show/ })
      .click();
    const shown = page.getByRole('region', { name: 'The submission' });
    await shown.getByText(text, { exact: true }).waitFor();
    expect(await shown.getByText('\\u202egpj.exe').count()).toBe(1);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  }
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    expect([size, await sideways(page)]).toEqual([size, []]);
  }
  const first = list.getByRole('row').nth(1);
  await first.getByRole('button', { name: /^Handled/ }).click();
  await first.getByText('by a person who answers').waitFor();
  expect(await violations(page)).toEqual([]);
  await first.getByRole('button', { name: /^Spam/ }).click();
  await first.getByRole('button', { name: /^Not spam/ }).waitFor();
  expect(await counts(body.token)).toMatchObject({ new: 1, handled: 0, spam: 1 });
  await first.getByRole('button', { name: /^Not spam/ }).click();
  await first.getByRole('button', { name: /^Handled/ }).waitFor();
  expect(await counts(body.token)).toMatchObject({ new: 2, handled: 0, spam: 0 });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save all as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('partner-application-new.csv');
  expect(visitor.problems()).toEqual([]);
});

test('a rejected action and one without permission have no violation', async () => {
  const [visitor, other] = [await newVisitor({ viewport: phone }), await newVisitor({ viewport: phone })];
  await signIn(visitor, cluster, { path: '/apps/mfe-beta' });
  await visitor.page.getByRole('button', { name: `Make live ${waiting}` }).click();
  await visitor.page.getByRole('dialog').getByText('Nothing was changed.').waitFor();
  expect(await overflow(visitor.page)).toBe(0);
  expect(await violations(visitor.page)).toEqual([]);

  const { body } = await cluster.ask<{ token: string }>('POST', '/v1/tokens', {
    body: { name: 'a person who reads', scopes: ['read'] },
  });
  await signIn(other, cluster, { token: body.token });
  await other.page.getByRole('button', { name: 'Freeze everything' }).waitFor();
  await other.page.getByText('Reading ').waitFor({ state: 'detached' });
  expect(await violations(other.page)).toEqual([]);
});

test('an action with a lost response and an unreadable view have no violation', async () => {
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster);
  const dialog = await readyToRollBack(page);
  await page.route('**/v1/channels/production/rollbacks', (route) => route.abort());
  await dialog.getByRole('button', { name: `Take ${live} away` }).click();
  await dialog.getByText('It is unknown whether the change was made.').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.goto(`${cluster.registry.url}/console/apps/mfe-beta/compare/${live}/1.0.0-no`);
  await page.getByText('The versions could not be loaded.').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('an action during a concurrent change has no violation', async () => {
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster);
  const dialog = await readyToRollBack(page);
  await cluster.ask('POST', '/v1/channels/production/canary', { body: { share: 20, reason: hostile } });
  await dialog.getByRole('button', { name: 'I have seen it' }).waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('a stale view while the registry is unreachable has no violation', async () => {
  const visitor = await newVisitor({ viewport: phone });
  const { page } = visitor;
  await signIn(visitor, cluster);
  await appLine(page, 'mfe-beta').getByText(live).waitFor();
  cluster.registry.kill();
  try {
    await page.getByText(/^No response since .* This data may be stale\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
  } finally {
    await cluster.registry.start();
  }
});

test('hostile texts are shown as written', async () => {
  const visitor = await newVisitor();
  await signIn(visitor, cluster, { path: '/timeline' });
  await visitor.page.getByText(hostile).first().waitFor();
  for (const [path, text] of [
    ['audit', hostile],
    ['faults', hostile],
    ['faults', endless],
    ['tokens', longName],
  ] as const) {
    await visitor.page.goto(`${cluster.registry.url}/console/${path}`);
    await visitor.page.getByText(text).first().waitFor();
  }
  expect(visitor.problems()).toEqual([]);
});

test('a version can be rolled back by keyboard alone', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/timeline' });
  await rollBackByKeyboard(page, 'mfe-beta', live, async () => expect(await violations(page)).toEqual([]));
});
