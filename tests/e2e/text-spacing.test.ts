import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { findSpacingProblems } from './harness/text-spacing.ts';
import { open, visitors } from './harness/visitor.ts';

const { url: site, forms } = sharedSite();
const newVisitor = visitors();

test('with increased text spacing no page scrolls sideways, and no text is cut or covers another', async () => {
  const visitor = await newVisitor();
  const found: Record<string, string[]> = {};
  for (const { path } of sitePages) {
    await open(visitor, site + path);
    await findSpacingProblems(visitor.page, path, found);
  }
  expect(found).toEqual({});
});

test('with increased text spacing the pages of the forms service are whole', async () => {
  const { page } = await newVisitor({ javaScript: false });
  const found: Record<string, string[]> = {};
  await page.goto(`${site}/partners`);
  const form = page.getByRole('form', { name: 'Refer someone' });
  await form.evaluate((element: HTMLFormElement) => (element.noValidate = true));
  await form.getByRole('button').click();
  await page.waitForURL(/subscriptions$/);
  await findSpacingProblems(page, forms, found);
  expect(found).toEqual({});
});
