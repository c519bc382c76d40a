import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { isFocused, tabTo } from '../e2e/harness/keyboard.ts';
import { visitors } from '../e2e/harness/visitor.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { appLine, desktop, phone, problemsOf, signIn } from './harness/console-page.ts';
import { sampleRemote } from './harness/sample-apps.ts';

/** Every view of the console for everyone: by axe, with the keyboard alone, on a narrow phone, and with texts that mean harm. */

let cluster: Cluster;
let old: string;
let live: string;
const newVisitor = visitors();

const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}';

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 1 });
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
});
afterAll(() => cluster.stop());

const views: [string, () => string][] = [
  ['Now', () => ''],
  ['a remote', () => '/apps/mfe-beta'],
  ['two versions', () => `/apps/mfe-beta/compare/${old}/${live}`],
  ['the timeline', () => '/timeline'],
  ['the difference of two releases', () => '/timeline/r1/r3'],
  ['the faults', () => '/faults'],
  ['the forms', () => '/forms'],
  ['freezes and guard', () => '/freezes'],
  ['the audit log', () => '/audit'],
  ['the tokens', () => '/tokens'],
];

/** All of axe-core but what it calls experimental or obsolete: its default leaves out more. */
const rules = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe-core finds wrong in both themes and at both widths. */
async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations: each } = await new AxeBuilder({ page })
        .options({ runOnly: rules, resultTypes: ['violations'] })
        // The console has no frames: axe need not look for them in a page of its own.
        .setLegacyMode()
        .analyze();
      found.push(
        ...each.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => `${colorScheme} ${size.width}: ${id}: ${target.join(' ')}`),
        ),
      );
    }
  }
  return found;
}

/** Whether something is wider than a narrow phone. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.each(views)(
  '%s has no violation, fits a phone, and shows texts of teams as texts',
  async (_name, path) => {
    const visitor = await newVisitor({ viewport: phone });
    const { page } = visitor;
    await signIn(visitor, cluster, { path: path() });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByText(/^Reading /)
      .first()
      .waitFor({ state: 'detached' });
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problemsOf(visitor)).toEqual([]);
  },
);

test('neither has the sign-in, the search, the help, and an action before it is confirmed', async () => {
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

test('the texts that mean harm are read as they were written', async () => {
  const visitor = await newVisitor();
  await signIn(visitor, cluster, { path: '/timeline' });
  await visitor.page.getByText(hostile).first().waitFor();
  await visitor.page.goto(`${cluster.registry.url}/console/audit`);
  await visitor.page.getByText(hostile).first().waitFor();
  expect(problemsOf(visitor)).toEqual([]);
});

test('the keyboard alone rolls a version back', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/timeline' });
  await page.keyboard.type('gn');
  await page.getByRole('heading', { level: 1, name: 'Now on production' }).waitFor();
  const open = appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' });
  await open.waitFor();
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Roll back mfe-beta' });
  const reason = dialog.getByRole('radio').first();
  await reason.waitFor();
  await tabTo(page, reason);
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByRole('button', { name: `Take ${live} away` }));
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Every edge that answers/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Back where it was opened.
  expect(await isFocused(open)).toBe(true);
});
