import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { until } from './harness/until.ts';
import { open, visitors } from './harness/visitor.ts';

const { url: site, forms } = sharedSite();

const newVisitor = visitors();

test('after a full visit a browser stores only names from the cookie policy', async () => {
  const visitor = await newVisitor();
  const { page, context } = visitor;
  await context.route(`${forms}subscriptions`, (route) => route.abort('connectionrefused'));
  await open(visitor, `${site}/policies/cookies`);
  const named = await page.getByRole('rowheader').allInnerTexts();

  await page.getByRole('banner').getByRole('radio', { name: 'Dark' }).check({ force: true });
  await open(visitor, `${site}/home?utm_source=letter`);
  // The campaign is stored after hydration, and the next document no longer has it in its address.
  await page.waitForFunction(() => sessionStorage.getItem('campaign') !== null);
  for (const { path } of sitePages) await open(visitor, site + path);
  await page.getByRole('link', { name: 'Support policy' }).first().click();
  await page.waitForURL('**/policies/support');
  const newsletter = page.getByRole('region', { name: 'New blocks, in your inbox' });
  await newsletter.getByLabel('Email').fill('ada@example.com');
  await newsletter.getByRole('button', { name: 'Subscribe' }).click();

  await open(visitor, `${site}/partners`);
  const referral = page.getByRole('form', { name: 'Refer someone' });
  await referral.getByLabel('From: your email').fill('ada@example.com');
  await referral.getByLabel('To: their emails').fill('grace@example.com');
  await referral.getByRole('button', { name: 'Send referral' }).click();

  const kept = async () => {
    const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    const cookies = (await context.cookies()).map(({ name }) => name);
    return [...cookies, ...stored.map((name) => name.replace(/^(newsletter:|form:).+/, '$1…'))].sort();
  };
  // Cookies of a canary, a preview link and an incident.
  const expected = named.filter((name) => !name.startsWith('__Host-Http-')).sort();
  await until(async () => expect(await kept()).toEqual(expected));
  expect(
    await page.evaluate(async () => [(await indexedDB.databases()).length, (await caches.keys()).length]),
  ).toEqual([0, 0]);
});
