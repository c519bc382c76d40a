import { recordedResponse } from '../../mfe-marketing/src/api-console/api-calls.ts';
import { tokenCookie } from './harness/guest-tokens.ts';
import { recordCalls } from './harness/service-calls.ts';
import { sharedSite } from './harness/shared-site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { open, visitors } from './harness/visitor.ts';

const { url, gateway } = sharedSite();
const newVisitor = visitors();
const stored = storedRows();

function sampleForm(value: unknown): unknown {
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sampleForm(entry)]))
    : '';
}

test.each(['/home', '/developers'])(
  'the console on %s calls the real gateway as a guest of its own, with the keyboard alone',
  async (path) => {
    const visitor = await newVisitor();
    const { page, context } = visitor;
    await open(visitor, url + path);
    await page.waitForFunction(() => document.cookie.includes('authToken'));
    const cookie = (await tokenCookie(context))!.value;
    const calls = recordCalls(context);
    const run = page.getByRole('button', { name: 'Run' });
    const created = page.waitForResponse(`${gateway}guests`);

    await run.press('Enter');
    const recorded = (await (await created).json()) as { data: { id: string } };
    expect(sampleForm(recorded)).toEqual(sampleForm(recordedResponse.body));
    await page.getByRole('status').getByText('201 Created').waitFor();

    const choice = page.getByRole('group', { name: 'Call' }).getByRole('radio', { checked: true });
    for (const call of ['GET guests/{id}', 'POST guests/{id}/auth']) {
      await choice.press('ArrowDown');
      await run.press('Enter');
      await page.getByRole('status').getByText(call, { exact: true }).waitFor();
      await page.getByRole('status').getByText('200 OK').waitFor();
    }

    const own = calls.filter((call) => call.service === 'gateway');
    const { id } = recorded.data;
    expect(own.map((call) => `${call.method} ${call.path}`)).toEqual([
      'POST guests',
      `GET guests/${id}`,
      `POST guests/${id}/auth`,
    ]);
    expect(await stored.guest(id)).toMatchObject({ unique_id: id });
    expect((await tokenCookie(context))!.value).toBe(cookie);
    expect(visitor.problems()).toEqual([]);
  },
);

test('a rate limit, a lost network and a browser without JavaScript are shown as such', async () => {
  const visitor = await newVisitor();
  const { page, context } = visitor;
  await open(visitor, `${url}/developers`);
  const run = page.getByRole('button', { name: 'Run' });
  await context.setOffline(true);
  await run.click();
  await page.getByRole('status').getByText('You’re offline').waitFor();
  await context.setOffline(false);

  await page.route(`${gateway}guests`, (route) =>
    route.fulfill({
      status: 429,
      headers: {
        'access-control-allow-origin': url,
        'access-control-expose-headers': 'retry-after',
        'retry-after': '7',
      },
      json: { errors: [{ status: '429', code: 'rate_limited' }] },
    }),
  );
  await run.click();
  await page.getByRole('status').getByText('429 Too Many Requests').waitFor();
  await page.getByText('Try again in 7 s').waitFor();

  const reader = await newVisitor({ javaScript: false });
  await reader.page.goto(`${url}/developers`);
  await reader.page.getByRole('region', { name: 'Recorded response' }).waitFor();
  expect(await reader.page.getByRole('button', { name: 'Run' }).count()).toBe(0);
});
