import { sharedSite } from './harness/shared-site.ts';
import { hydrated, visitors } from './harness/visitor.ts';

const newVisitor = visitors();

const isDeferred = (part: Element) => getComputedStyle(part).contentVisibility === 'auto';

test.each([
  ['/start', true, true],
  ['/start#questions', true, false],
  ['/start', false, false],
])('below the fold, %s with scripts (%s) defers its layout: %s', async (path, javaScript, deferred) => {
  const { page } = await newVisitor({ javaScript });
  await page.route('**/assets/shell/main.*.js', (route) => route.abort());
  await page.goto(sharedSite().url + path, { waitUntil: 'domcontentloaded' });
  const parts = [page.locator('#questions'), page.getByRole('contentinfo')];
  expect(await Promise.all(parts.map((part) => part.evaluate(isDeferred)))).toEqual([deferred, deferred]);
  // In the page, with or without scripts.
  expect((await page.getByRole('contentinfo').boundingBox())!.height).toBeGreaterThan(100);
});

test('once the page is interactive, every part has its layout and the scroll position after a reload is exact', async () => {
  const { page } = await newVisitor({ viewport: { width: 412, height: 823 } });
  await page.goto(`${sharedSite().url}/start`);
  await hydrated(page);
  expect(await page.locator('#questions').evaluate(isDeferred)).toBe(false);
  await page.locator('#questions').evaluate((part) => part.scrollIntoView({ behavior: 'instant' }));
  const top = () => page.locator('#questions').evaluate((part) => part.getBoundingClientRect().top);
  const before = await top();
  await page.reload();
  await hydrated(page);
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
});
