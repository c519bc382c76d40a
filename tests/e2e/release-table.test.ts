import type { Route } from 'playwright-core';
import { sharedSite } from './harness/shared-site.ts';
import { hydrated, open, type Visitor, visitors } from './harness/visitor.ts';

/** A document knows its own page; the release's table is fetched. */

const newVisitor = visitors();
let visitor: Visitor;
beforeEach(async () => {
  visitor = await newVisitor();
});

type Answer = (route: Route) => Promise<void>;
const deliver: Answer = (route) => route.continue();
const lose: Answer = (route) => route.abort();
const damage: Answer = async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).slice(1) });
};

/** The n-th request for the table gets the n-th response, and all later ones the last. */
async function openWith(path: string, ...answers: [Answer, ...Answer[]]): Promise<void> {
  const { page } = visitor;
  await page.route('**/__site/state', (route) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer?.(route);
  });
  const asked = page.waitForRequest('**/__site/state');
  await open(visitor, sharedSite().url + path);
  await asked;
}

const tables = () => visitor.requested().filter((path) => path === '/__site/state');
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
  ['is damaged', damage],
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
