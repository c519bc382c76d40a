import { randomUUID } from 'node:crypto';
import { formSources, newsletterThanks } from '@site/contract';
import { readToken, tokenCookie } from './harness/guest-tokens.ts';
import { ended, recordCalls, type ServiceCall } from './harness/service-calls.ts';
import { sharedSite } from './harness/shared-site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { until } from './harness/until.ts';
import { hydrated, open, type Visitor, visitors } from './harness/visitor.ts';

const { url: site, forms, ops } = sharedSite();
const home = `${site}/home`;
const subscriptions = `${forms}subscriptions`;

const invalid = 'You need to provide a valid email to subscribe.';
const thanks = `${newsletterThanks.by_mail.title} ${newsletterThanks.by_mail.text}`;
const privacyNote = 'Only for this newsletter. Privacy policy';

const newVisitor = visitors();
const stored = storedRows();
let visitor: Visitor;
let calls: ServiceCall[];
let email: string;
beforeEach(async () => {
  email = `${randomUUID()}@example.com`;
  visitor = await newVisitor();
  calls = recordCalls(visitor.context);
  await open(visitor, home);
});

const section = () => visitor.page.getByRole('region', { name: 'New blocks, in your inbox' });
const field = () => section().getByLabel('Email');
const button = () => section().getByRole('button', { name: 'Subscribe' });
const note = () => section().getByRole('status').innerText();

const sentSubscriptions = () => calls.filter(({ path }) => path === 'subscriptions');

async function subscribe(): Promise<void> {
  await field().fill(email);
  await button().click();
}

/** The stored request until the service has accepted it. */
const kept = () =>
  visitor.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('newsletter:')));

/** The draft, kept as long as the tab is open. */
const drafts = () =>
  visitor.page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('form:')));

test('an empty or invalid address is rejected with the same message', async () => {
  expect(await note()).toBe(privacyNote);
  for (const wrong of ['', '   ', 'not an address', 'ada@example']) {
    await open(visitor, home);
    await field().pressSequentially(wrong);
    await button().click();
    await until(async () => expect(await note()).toBe(invalid));
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
  }
  expect(sentSubscriptions()).toEqual([]);

  await field().fill(email);
  await button().click();
  await until(async () => expect(await note()).toBe(thanks));
  expect(visitor.problems()).toEqual([]);
});

test('a subscription is stored with the guest, confirmed, and the field cleared', async () => {
  await subscribe();
  await until(async () => expect(await note()).toBe(thanks));
  expect(await field().inputValue()).toBe('');

  const { user_unique_id: guest } = readToken((await tokenCookie(visitor.context))!.value);
  expect(await stored.subscriptions(email)).toEqual([
    expect.objectContaining({
      email,
      source_id: formSources.newsletter,
      form_fields: email,
      visitor_unique_id: guest,
      visitor_type: 'guest',
      suspected_spam: false,
    }),
  ]);
  expect(sentSubscriptions()).toHaveLength(1);
  expect(await kept()).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test('works by keyboard alone, and a double click is stored once', async () => {
  await field().focus();
  await visitor.page.keyboard.type(email);
  await visitor.page.keyboard.press('Tab');
  expect(await button().evaluate((element) => element === document.activeElement)).toBe(true);
  await visitor.page.keyboard.press('Enter');
  await until(async () => expect(await note()).toBe(thanks));
  expect(await stored.subscriptions(email)).toHaveLength(1);

  const other = `${randomUUID()}@example.com`;
  await field().fill(other);
  await button().dblclick();
  await until(async () => expect(await field().inputValue()).toBe(''));
  expect(await note()).toBe(thanks);
  await ended(calls, visitor.page);
  expect(await stored.subscriptions(other)).toHaveLength(1);
  expect(visitor.problems()).toEqual([]);
});

test('an address entered while another one is being sent stays', async () => {
  const other = `${randomUUID()}@example.com`;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await visitor.context.route(subscriptions, async (route) => {
    await answered;
    await route.continue();
  });
  await subscribe();
  await until(async () => expect(await button().getAttribute('aria-disabled')).toBe('true'));
  await field().fill(other);
  answer();
  await until(async () => expect(await note()).toBe(thanks));
  expect(await field().inputValue()).toBe(other);
  expect(await drafts()).toEqual(['form:newsletter']);
  await button().click();
  await until(async () => expect(await stored.subscriptions(other)).toHaveLength(1));
  await until(async () => expect(await field().inputValue()).toBe(''));
  expect(visitor.problems()).toEqual([]);
});

test('a draft survives the document but not the tab, and is gone once it is sent', async () => {
  const { page, context } = visitor;
  await field().pressSequentially(email.slice(0, 20));
  await until(async () => expect(await drafts()).toEqual(['form:newsletter']));
  await open(visitor, `${site}/policies/privacy`);
  await until(async () => expect(await field().inputValue()).toBe(email.slice(0, 20)));
  await page.reload();
  await until(async () => expect(await field().inputValue()).toBe(email.slice(0, 20)));
  const other = await context.newPage();
  await other.goto(home);
  await hydrated(other);
  expect(await other.evaluate(() => Object.keys(sessionStorage))).not.toContain('form:newsletter');
  expect(await other.getByLabel('Email').inputValue()).toBe('');

  await field().fill(email);
  await button().click();
  await until(async () => expect(await note()).toBe(thanks));
  expect(await drafts()).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test('on a local start, /mail shows the email with the link that confirms a subscription', async () => {
  // A domain gets 50 emails a day at most, and other tests use example.com.
  email = `ada@${randomUUID()}.example.org`;
  await subscribe();
  await until(async () => expect(await note()).toBe(thanks));
  const reader = await newVisitor();
  const { page, context } = reader;
  const item = page.getByRole('listitem').filter({ hasText: email });
  await until(async () => {
    await page.goto(`${ops}/mail`);
    expect(await item.count()).toBe(1);
  });
  await item.getByRole('link').click();
  const opened = context.waitForEvent('page');
  await page.frameLocator('iframe').getByRole('link', { name: 'Confirm' }).click();
  const confirmation = await opened;
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await confirmation.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  expect([...visitor.problems(), ...reader.problems()]).toEqual([]);
});

describe('when the call fails', () => {
  test('without a network, a note says that the address is sent when the network returns, and so it is', async () => {
    const { context, page } = visitor;
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await subscribe();
    // Pictures that come into view fail, too.
    await until(() => expect([...new Set(visitor.problems())]).toHaveLength(2));
    expect([...new Set(visitor.problems())]).toEqual([
      'error: Failed to load resource: net::ERR_INTERNET_DISCONNECTED',
      'error: Error sending subscription We couldn’t send the form. Please try again in a moment.',
    ]);
    await until(async () => expect(await button().getAttribute('aria-disabled')).toBeNull());
    expect(await note()).toBe('You’re offline. We’ll send your address when you’re back.');
    expect(await field().inputValue()).toBe(email);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await kept()).toHaveLength(1);
    expect(await stored.subscriptions(email)).toEqual([]);

    await context.setOffline(false);
    await until(async () => expect(await stored.subscriptions(email)).toHaveLength(1));
    await until(async () => expect(await kept()).toEqual([]));
    // A sent address is not sent again.
    await until(async () => expect(await note()).toBe(thanks));
    expect(await field().inputValue()).toBe('');
    expect([...new Set(visitor.problems())]).toHaveLength(2);
  });

  test('the address survives a reload and is sent in a later visit, once', async () => {
    const { context, page } = visitor;
    await context.route(subscriptions, (route) => route.abort('connectionfailed'));
    await subscribe();
    await until(async () => expect(await kept()).toHaveLength(1));
    await until(() => expect(visitor.problems().join()).toContain('Error sending subscription'));

    await context.unroute(subscriptions);
    await page.clock.setFixedTime(Date.now() + 60_000);
    await open(visitor, `${site}/blocks`);
    await until(async () => expect(await kept()).toEqual([]));
    expect(await stored.subscriptions(email)).toEqual([
      expect.objectContaining({ form_fields: email, visitor_type: 'guest' }),
    ]);
    await ended(calls, page);
    expect(sentSubscriptions()).toHaveLength(2);
  });

  test('if its code never loaded, the address is in the field again after a reload, and is not sent', async () => {
    await visitor.close();
    visitor = await newVisitor();
    calls = recordCalls(visitor.context);
    const { context, page } = visitor;
    const code = /\/identity[^/]*\.js/;
    await context.route(code, (route) => route.abort('connectionreset'));
    await page.goto(home);
    await until(() => expect(visitor.problems().join()).toContain('identity could not be loaded'));
    await subscribe();
    await until(async () => expect(await kept()).toHaveLength(1));
    await until(() => expect(visitor.problems().join()).toContain('Error subscribing'));

    await context.unroute(code);
    await page.reload();
    await until(async () => expect(await kept()).toEqual([]));
    await open(visitor, home);
    await until(async () => expect(await field().inputValue()).toBe(email));
    expect(sentSubscriptions()).toEqual([]);
  });

  test('a subscription that a script has planted is not sent', async () => {
    const { page } = visitor;
    await page.evaluate((address) => {
      const entry = { email: address, retries: 0, nextAt: 0, guest: 'another' };
      localStorage.setItem('newsletter:planted', JSON.stringify(entry));
    }, email);
    await page.reload();
    await until(async () => expect(await kept()).toEqual([]));
    await ended(calls, page);
    expect(sentSubscriptions()).toEqual([]);
    expect(await stored.subscriptions(email)).toEqual([]);
  });

  test('with only the response lost, the retry is not stored again', async () => {
    const { context, page } = visitor;
    await context.route(
      subscriptions,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await subscribe();
    await until(() => expect(visitor.problems().join()).toContain('Error sending subscription'));
    expect(await stored.subscriptions(email)).toHaveLength(1);
    // The visitor saw no error and tries again.
    await until(async () => expect(await button().getAttribute('aria-disabled')).toBeNull());
    await button().click();
    await until(async () => expect(await note()).toBe(thanks));
    await until(async () => expect(await kept()).toEqual([]));
    await ended(calls, page);
    expect(await stored.subscriptions(email)).toHaveLength(1);
  });

  test('with a server that is down, one of several tabs does the sending', async () => {
    const { context, page } = visitor;
    await context.route(subscriptions, (route) => route.abort('connectionrefused'));
    await subscribe();
    await until(() => expect(visitor.problems().join()).toContain('Error sending subscription'));
    const others = [await context.newPage(), await context.newPage()];
    await Promise.all(others.map((other) => other.goto(`${site}/blocks`)));
    await Promise.all(others.map((other) => other.waitForLoadState('networkidle')));
    const before = sentSubscriptions().length;

    await context.unroute(subscriptions);
    await context.setOffline(true);
    await context.setOffline(false);
    await until(async () => expect(await kept()).toEqual([]));
    await Promise.all([page, ...others].map((tab) => ended(calls, tab)));
    expect(await stored.subscriptions(email)).toHaveLength(1);
    expect(sentSubscriptions()).toHaveLength(before + 1);
  });
});
