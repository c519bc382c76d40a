import { bucketAt } from '@site/edge/testing/bucket-at';
import type { Browser } from 'playwright-core';
import type { ChangeAnswer, ChannelAnswer, PreviewMade, SearchFound } from '@site/contract';
import { askRegistry } from './harness/ask-registry.ts';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';
import { newVisitor } from './harness/visitor.ts';

/** Search results follow the live release. The tests depend on each other. */

let site: Site;
let checkout: CheckoutCopy;
let browser: Browser;
let version = '';

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  site = await startSite({ root: checkout.root });
  await checkout.edit(
    'mfe-blocks/src/pages/blocks-page.tsx',
    'Every backend part, in one box',
    'Every zeppelin, in one hangar',
  );
  const { code, stdout, stderr } = await site.cli('publish', 'mfe-blocks', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  ({ version } = JSON.parse(stdout) as { version: string });
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await checkout.remove();
});

const registry = <Answer>(path: string, body?: object) => askRegistry<Answer>(site, path, body);

async function found(cookie = ''): Promise<string[]> {
  const response = await fetch(`${site.url}/__site/search?q=zeppelin`, { headers: { cookie } });
  return ((await response.json()) as SearchFound).results.map(({ href }) => href);
}

async function settled(): Promise<void> {
  await until(async () => {
    const { state, edges } = await registry<ChannelAnswer>('channels/production');
    for (const { release, canaries } of edges)
      expect({ release, canaries }).toEqual({ release: state.live, canaries: state.canaries });
  });
}

test('a published version that is not live is not in the results', async () => {
  expect(await found()).toEqual([]);
});

test('a preview finds its version’s content, only in the browser that opened it', async () => {
  const { url } = await registry<PreviewMade>('previews', { app: 'mfe-blocks', version });
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(String(url));
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.waitForURL('**/blocks');
  await page.goto(`${site.url}/search?q=zeppelin`);
  await page.getByRole('main').getByRole('link', { name: 'All backend parts' }).waitFor();
  expect(visitor.problems()).toEqual([]);
  await visitor.close();
  expect(await found()).toEqual([]);
});

test('visitors of a canary find its content, others do not', async () => {
  const { release } = await registry<ChangeAnswer>('channels/production/releases', {
    apps: { 'mfe-blocks': version },
    share: 50,
    reason: 'half of the visitors first',
  });
  await settled();
  const bucket = (place: number) => `bucket=${bucketAt(place, release.id)}`;
  expect([await found(bucket(0)), await found(bucket(9_999))]).toEqual([['/blocks'], []]);
  await registry<ChangeAnswer>('channels/production/aborts', { reason: 'for everybody instead' });
  await settled();
  expect(await found(bucket(0))).toEqual([]);
});

test('a live version’s content is found immediately, and no longer after a rollback', async () => {
  const activated = await site.cli('activate', 'mfe-blocks', '--reason', 'new words');
  expect(activated.code).toBe(0);
  expect(await found()).toEqual(['/blocks']);
  const back = await site.cli('rollback', 'mfe-blocks', '--reason', 'old words');
  expect(back.code).toBe(0);
  expect(await found()).toEqual([]);
  const page = await (await fetch(`${site.url}/search?q=zeppelin`)).text();
  expect(page).toContain('<h2>Nothing found for “zeppelin”</h2>');
});
