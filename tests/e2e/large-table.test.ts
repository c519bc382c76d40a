import type { Route } from 'playwright-core';
import { BOOT_DATA_ID, type BootData, type ReleaseDocument } from '@site/contract';
import { createBootData } from '@site/documents/boot-data';
import { sharedSite } from './harness/shared-site.ts';
import { hydrated, open, type Visitor, visitors } from './harness/visitor.ts';

/**
 * The site with so many remotes that its table is a separate file: the edge's own code builds the responses from the
 * current ones.
 */
const block = new RegExp(`(<script type="application/json" id="${BOOT_DATA_ID}">)(.*?)(</script>)`, 's');

const newVisitor = visitors();
let visitor: Visitor;
beforeEach(async () => {
  visitor = await newVisitor();
});

type Answer = (route: Route, table: Buffer) => Promise<void>;
const deliver: Answer = (route, table) => route.fulfill({ contentType: 'application/json', body: table });
const lose: Answer = (route) => route.abort();
const damage: Answer = (route, table) =>
  route.fulfill({ contentType: 'application/json', body: `${table.toString()} ` });

/** The n-th request for the table gets the n-th response, and all later ones the last. */
async function openWith(path: string, ...answers: [Answer, ...Answer[]]): Promise<void> {
  const { page, context } = visitor;
  // Chromium treats a document from a test as remote, and blocks its requests to local services.
  await context.grantPermissions(['local-network-access']);
  let table: Buffer = Buffer.alloc(0);
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    const whole = JSON.parse(block.exec(html)?.[2] ?? '') as BootData;
    const { release: id, channel, config, shellScripts, rendered, variants } = whole;
    const boot = createBootData(
      { release: { id, channel, config } } as ReleaseDocument,
      whole,
      shellScripts,
      { inlineBytes: 0 },
    );
    table = boot.file?.bytes ?? table;
    const { remote = '' } = whole.routes.find((each) => each.path === rendered) ?? {};
    const data = JSON.stringify(boot.of(remote, rendered ?? '', true, variants)).replaceAll('<', '\\u003c');
    await route.fulfill({
      response,
      body: html.replace(block, (_, start: string, __, end: string) => start + data + end),
    });
  });
  await page.route('**/assets/release/*', (route) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer?.(route, table);
  });
  const asked = page.waitForEvent('request', (request) => request.url().includes('/assets/release/'));
  await open(visitor, sharedSite().url + path);
  await asked;
}

const tables = () => visitor.requested().filter((path) => path.startsWith('/assets/release/'));
/** Lost on a reload. */
const mark = () => visitor.page.evaluate(() => Object.assign(window, { sameDocument: true }));
const isMarked = () => visitor.page.evaluate(() => 'sameDocument' in window);

async function click(path: string): Promise<void> {
  await visitor.page.locator(`a[href="${path}"]`).first().click();
  await visitor.page.waitForURL((url) => url.pathname === path);
  await hydrated(visitor.page);
}

test('the table is fetched once, when the page is idle, and pages and redirects of other remotes open in place', async () => {
  await openWith('/home', deliver);
  await mark();
  await click('/blocks');
  await visitor.page.getByRole('heading', { level: 1, name: 'Every backend part, in one box' }).waitFor();
  await click('/support');
  await click('/policies/privacy');
  await visitor.page.goBack();
  await visitor.page.waitForURL('**/support');
  await visitor.page.evaluate(() => {
    history.pushState(null, '', '/company/team?ref=x');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await visitor.page.waitForURL('**/about-us?ref=x#team');
  expect(await isMarked()).toBe(true);
  expect(tables()).toHaveLength(1);
  expect(visitor.problems()).toEqual([]);
});

test.each([
  ['cannot be loaded', lose],
  ['has other bytes', damage],
])('if the table %s, a click is a full page load', async (_, answer) => {
  await openWith('/home', answer);
  await mark();
  await click('/blocks');
  await visitor.page.getByRole('heading', { level: 1, name: 'Every backend part, in one box' }).waitFor();
  expect(await isMarked()).toBe(false);
  expect(visitor.problems().join()).toContain('could not be loaded');
});

test('a click requests the table again after a failed response', async () => {
  await openWith('/home', lose, deliver);
  await mark();
  await click('/blocks');
  expect(await isMarked()).toBe(true);
  expect(tables()).toHaveLength(2);
});
