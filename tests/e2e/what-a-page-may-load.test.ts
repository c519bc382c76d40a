import type { Page } from 'playwright-core';
import { BOOT_DATA_ID, type BootData } from '@site/contract';
import { sharedSite } from './harness/shared-site.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

const newVisitor = visitors();
let visitor: Visitor;
let boot: BootData;
beforeEach(async () => {
  visitor = await newVisitor();
  await open(visitor, `${sharedSite().url}/blocks`);
  boot = await readBootData(visitor.page);
});

async function readBootData(page: Page): Promise<BootData> {
  const text = await page.locator(`head > script#${BOOT_DATA_ID}`).textContent();
  return JSON.parse(text ?? '') as BootData;
}

function add(page: Page, tag: { src?: string; href?: string; integrity?: string }): Promise<string> {
  return page.evaluate(
    ({ src, href, integrity = '' }) =>
      new Promise<string>((resolve) => {
        const element = document.createElement(src === undefined ? 'link' : 'script');
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('blocked');
        element.crossOrigin = 'anonymous';
        if (integrity) element.integrity = integrity;
        try {
          if (element instanceof HTMLScriptElement) element.src = src ?? '';
          else Object.assign(element, { rel: 'stylesheet', href });
        } catch (error) {
          resolve(String(error));
          return;
        }
        document.head.append(element);
      }),
    tag,
  );
}

test('a page and a click to another remote load under the integrity policy without violations', async () => {
  const { page } = visitor;
  await page.getByRole('banner').getByRole('link', { name: 'DEVELOPERS', exact: true }).click();
  await page.waitForURL('**/developers');
  expect(visitor.problems()).toEqual([]);
});

test('a release’s script is blocked without its integrity, and any other script always', async () => {
  const { page } = visitor;
  const blocks = boot.remotes.find(({ name }) => name === 'mfe-blocks');
  if (!blocks) throw new Error('The release has no mfe-blocks.');
  const { entry, integrity } = blocks;
  expect(await add(page, { src: entry, integrity })).toBe('loaded');
  expect(await add(page, { src: `${entry}?again` })).toBe('blocked');
  expect(await add(page, { src: '/assets/mfe-blocks/page.0123456789ab.js', integrity })).toContain(
    'is not part of this release',
  );
  expect(await add(page, { src: '/assets/mfe-none/remoteEntry.js', integrity })).toContain(
    'is not part of this release',
  );
});

test('a remote’s script starts neither a service worker nor a worker', async () => {
  const { page } = visitor;
  const blocks = boot.remotes.find(({ name }) => name === 'mfe-blocks');
  const result = await page.evaluate(async (entry) => {
    const registered = navigator.serviceWorker.register(entry, { updateViaCache: 'all' });
    const worker = new Worker(entry);
    const started = new Promise<string>((resolve) => {
      // An error of a running script has a message.
      worker.onerror = (event) => resolve('message' in event ? 'ran' : 'refused');
      setTimeout(() => resolve('ran'), 2_000);
    });
    return [
      await registered.then(
        () => 'registered',
        () => 'refused',
      ),
      await started,
    ];
  }, blocks?.entry ?? '');
  expect(result).toEqual(['refused', 'refused']);
});

test('release data further down in the document is ignored', async () => {
  const { page } = visitor;
  const forged = `<script type="application/json" id="${BOOT_DATA_ID}">{"shell":"forged"}</script>`;
  await page.route('**/start', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('<div id="root"', `${forged}<div id="root"`) });
  });
  const said = page.waitForEvent('console', (message) => message.text().includes(`shell@${boot.shell}`));
  await open(visitor, `${sharedSite().url}/start`);
  expect((await said).text()).not.toContain('forged');
});
