import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { formSources, HONEYPOT_FIELD, referralThanks } from '@site/contract';
import { readToken, tokenCookie } from './harness/guest-tokens.ts';
import { isFocused, tabTo } from './harness/keyboard.ts';
import { ended, recordCalls, type ServiceCall } from './harness/service-calls.ts';
import { sharedSite } from './harness/shared-site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { until } from './harness/until.ts';
import { leap, open, visitors, type Visitor } from './harness/visitor.ts';

const { url: site, forms } = sharedSite();
const partners = `${site}/partners`;
const subscriptions = `${forms}subscriptions`;

const newVisitor = visitors();
const stored = storedRows();
let visitor: Visitor;
let calls: ServiceCall[];
let email: string;
beforeEach(async () => {
  email = `${randomUUID()}@example.com`;
  visitor = await newVisitor();
  calls = recordCalls(visitor.context);
  await open(visitor, partners);
});

/** A form under test: a complete example, and the texts that the visitor reads. */
interface FormUnderTest {
  source: 'referral' | 'partner-application';
  form: () => Locator;
  send: () => Locator;
  fill: () => Promise<void>;
  fields: object;
  accepted: string;
  failed: string;
}

const referral: FormUnderTest = {
  source: 'referral',
  form: () => visitor.page.getByRole('form', { name: 'Refer someone' }),
  send: () => referral.form().getByRole('button'),
  async fill() {
    const form = referral.form();
    await form.getByLabel('From: your email').fill(email);
    await form.getByLabel('To: their emails').fill('ada@example.com, bob@example.org,\nADA@example.com');
    await form.getByLabel('Message').fill('Have a look.\nIt is free.');
  },
  fields: {
    to_emails: ['ada@example.com', 'bob@example.org'],
    message: 'Have a look.\nIt is free.',
    [HONEYPOT_FIELD]: '',
  },
  accepted: referralThanks.by_mail.title,
  failed: 'Your referral wasn’t sent. Your answers are still here.',
};

const application: FormUnderTest = {
  source: 'partner-application',
  form: () => visitor.page.getByRole('form', { name: 'Apply as a partner' }),
  send: () => application.form().getByRole('button'),
  async fill() {
    const form = application.form();
    await form.getByLabel('First name').fill('Zoë');
    await form.getByLabel('Last name').fill("O'Neil");
    await form.getByRole('textbox', { name: 'Email' }).fill(email);
    await form.getByLabel('Phone').fill('+57 (1) 555-0100');
    await form.getByLabel('Business name').fill('Brücke & Co');
    await form.getByRole('textbox', { name: 'Website' }).fill('example.com/team');
    await form.getByLabel('Country').selectOption({ label: 'Colombia' });
    await form.getByLabel('Design').check();
    await form.getByLabel('Support').check();
    await form.getByRole('radio', { name: 'Web research' }).check();
  },
  fields: {
    first_name: 'Zoë',
    last_name: "O'Neil",
    phone: '+57 (1) 555-0100',
    country: 'CO',
    business_name: 'Brücke & Co',
    website: 'https://example.com/team',
    services: ['design', 'support'],
    how_heard: 'web-research',
    [HONEYPOT_FIELD]: '',
  },
  accepted: 'We’ve got your application',
  failed: 'Your application wasn’t sent. Your answers are still here.',
};

const bothForms = [
  ['referral', referral],
  ['application', application],
] as const;

const sent = () => calls.filter(({ path, method }) => method === 'POST' && path === 'subscriptions');

const contents = (form: Locator) =>
  form.evaluate((node) =>
    [...new FormData(node as HTMLFormElement)].map(([name, value]) => [name, value as string]),
  );

async function expectAccepted({ accepted }: FormUnderTest): Promise<void> {
  const answer = visitor.page.getByRole('status').filter({ hasText: accepted });
  await answer.waitFor();
  expect(await isFocused(answer)).toBe(true);
}

async function storedFields(): Promise<unknown[]> {
  return (await stored.subscriptions(email)).map((row) => JSON.parse(row.form_fields) as unknown);
}

/** The summary above the form, once it is shown: its lines, and whether it has the focus. */
async function readSummary(form: Locator): Promise<string[]> {
  const summary = form.getByRole('alert');
  await summary.waitFor();
  await until(async () => expect(await isFocused(summary)).toBe(true));
  return summary.getByRole('listitem').allInnerTexts();
}

describe.each(bothForms)('the %s form', (_name, each) => {
  test('is stored with its fields and the guest, once, however fast the button is clicked', async () => {
    await each.fill();
    await each.send().dblclick();
    await expectAccepted(each);
    await ended(calls, visitor.page);

    const { user_unique_id: guest } = readToken((await tokenCookie(visitor.context))!.value);
    expect(await stored.subscriptions(email)).toEqual([
      expect.objectContaining({
        source_id: formSources[each.source],
        visitor_unique_id: guest,
        visitor_type: 'guest',
        suspected_spam: false,
      }),
    ]);
    expect(await storedFields()).toEqual([each.fields]);
    expect(sent()).toHaveLength(1);

    // Another one is a separate submission, from an empty form.
    await visitor.page
      .getByRole('button', { name: /^(Refer someone else|Send another application)$/ })
      .click();
    expect((await contents(each.form())).map(([, value]) => value)).not.toContain(email);
    await each.fill();
    await each.send().click();
    await expectAccepted(each);
    expect(await storedFields()).toEqual([each.fields, each.fields]);
    expect(visitor.problems()).toEqual([]);
  });

  test('without a network keeps every field, shows the remedy, and a retry is stored once', async () => {
    await visitor.page.waitForLoadState('networkidle');
    await each.fill();
    const before = await contents(each.form());
    await visitor.context.setOffline(true);
    await each.send().click();
    expect(await readSummary(each.form())).toEqual([expect.stringMatching(/again/)]);
    expect(await each.form().getByRole('alert').innerText()).toContain(each.failed);
    expect(await contents(each.form())).toEqual(before);
    expect(await stored.subscriptions(email)).toEqual([]);

    await visitor.context.setOffline(false);
    await each.send().click();
    await expectAccepted(each);
    expect(await storedFields()).toEqual([each.fields]);
  });

  test('with a lost response is stored once after a retry', async () => {
    await each.fill();
    await visitor.context.route(
      subscriptions,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await each.send().click();
    await readSummary(each.form());
    expect(await storedFields()).toEqual([each.fields]);

    await each.send().click();
    await expectAccepted(each);
    expect(sent()).toHaveLength(2);
    expect(await storedFields()).toEqual([each.fields]);
  });

  test('keeps a draft through a visit to another page and back', async () => {
    await each.fill();
    const before = await contents(each.form());
    await visitor.page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await visitor.page.waitForURL(`${site}/blocks`);
    await visitor.page.goBack();
    await each.form().waitFor();
    expect(await contents(each.form())).toEqual(before);

    await visitor.page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await visitor.page.waitForURL(`${site}/blocks`);
    await visitor.page.getByRole('contentinfo').getByRole('link', { name: 'Partners' }).click();
    await each.form().waitFor();
    expect(await contents(each.form())).toEqual(before);

    await each.send().click();
    await expectAccepted(each);
    expect(await storedFields()).toEqual([each.fields]);
    expect(visitor.problems()).toEqual([]);
  });

  test('keeps a draft when a revoked release or a reload replaces the document', async () => {
    const { page } = visitor;
    await page.clock.install();
    const table = page.waitForResponse('**/__site/state');
    await open(visitor, partners);
    await (await table).finished();
    await page.route(/state\?release=/, (route) => {
      const own = new URL(route.request().url()).searchParams.get('release');
      return route.fulfill({ json: { release: 'r999', revoked: [own] } });
    });
    await each.fill();
    const before = await contents(each.form());
    await leap(visitor, '00:31');
    const left = page.waitForEvent('load');
    await page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await left;
    await page.waitForURL(`${site}/blocks`);

    // The form is a lazy part of the page.
    const isFilledIn = () => until(async () => expect(await contents(each.form())).toEqual(before));
    await open(visitor, partners);
    await isFilledIn();
    await page.reload();
    await isFilledIn();
    await each.send().click();
    await expectAccepted(each);
    expect(await storedFields()).toEqual([each.fields]);
    expect(await page.evaluate((key) => sessionStorage.getItem(key), `form:${each.source}`)).toBeNull();
    expect(visitor.problems()).toEqual([]);
  });

  test('with the honeypot filled in is accepted and stored as suspected spam', async () => {
    await each.fill();
    await each.form().locator(`[name=${HONEYPOT_FIELD}]`).fill('Buy now', { force: true });
    await each.send().click();
    await expectAccepted(each);
    expect(await stored.subscriptions(email)).toEqual([
      expect.objectContaining({ suspected_spam: true, source_id: formSources[each.source] }),
    ]);
    expect(await storedFields()).toEqual([{ ...each.fields, [HONEYPOT_FIELD]: 'Buy now' }]);
    expect(visitor.problems()).toEqual([]);
  });
});

describe('validation errors', () => {
  /** Sends, and expects these messages in the summary (which has the focus) and at their fields, in this order. */
  async function expectRefused({ form, send }: FormUnderTest, messages: [id: string, message: string][]) {
    await send().click();
    const all = messages.map(([, message]) => message);
    await until(async () => expect(await readSummary(form())).toEqual(all));
    for (const [id, message] of messages) {
      expect(await form().locator(`[id="${id}-error"]`).innerText()).toBe(message);
      const control = form().locator(`[id="${id}"]`);
      expect(await control.getAttribute('aria-describedby')).toContain(`${id}-error`);
      await form().getByRole('alert').getByRole('link', { name: message, exact: true }).first().click();
      if (all.indexOf(message) === all.lastIndexOf(message)) expect(await isFocused(control)).toBe(true);
    }
    const shown = await form().locator('[id$="-error"]').count();
    expect(shown).toBe(messages.length);
  }

  test('of a referral appear at each field', async () => {
    const form = referral.form();
    await expectRefused(referral, [
      ['referral-email', 'Enter an email address.'],
      ['referral-to_emails', 'Enter at least one email address.'],
    ]);

    await form.getByLabel('From: your email').fill('not-an-address');
    await form.getByLabel('To: their emails').fill('ada@example.com, bob@');
    await expectRefused(referral, [
      ['referral-email', 'Enter an email address such as name@example.com.'],
      ['referral-to_emails', '“bob@”: Enter an email address such as name@example.com.'],
    ]);

    // A message disappears as soon as its field is valid.
    await form.getByLabel('From: your email').fill(email);
    expect(await form.locator('[id$="-error"]').count()).toBe(1);
    const many = Array.from({ length: 21 }, (_, index) => `friend${index}@example.com`);
    await form.getByLabel('To: their emails').fill(many.join(','));
    await expectRefused(referral, [['referral-to_emails', 'Enter at most 20 email addresses.']]);

    await form.getByLabel('To: their emails').fill(many.slice(1).join('; '));
    await form.getByLabel('Message').fill('');
    await referral.send().click();
    await expectAccepted(referral);
    expect(await storedFields()).toEqual([{ to_emails: many.slice(1), message: '', [HONEYPOT_FIELD]: '' }]);
    expect(sent()).toHaveLength(1);
    expect(visitor.problems()).toEqual([]);
  });

  test('of an application appear at each field', async () => {
    const id = (field: string) => `partner-application-${field}`;
    const form = application.form();
    await expectRefused(application, [
      [id('first_name'), 'Enter your first name.'],
      [id('last_name'), 'Enter your last name. If you have one name, enter it here too.'],
      [id('email'), 'Enter an email address.'],
      [id('phone'), 'Enter a phone number.'],
      [id('business_name'), 'Enter the name of your business.'],
      [id('country'), 'Choose a country.'],
      [id('services'), 'Choose at least one service.'],
      [id('how_heard'), 'Choose how you heard about us.'],
    ]);

    await application.fill();
    expect(await form.locator('[id$="-error"]').count()).toBe(0);
    await form.getByLabel('Last name').fill('   ');
    await form.getByLabel('Phone').fill('12 34');
    await form.getByRole('textbox', { name: 'Website' }).fill('not a site');
    await form.getByLabel('Design').uncheck();
    await form.getByLabel('Support').uncheck();
    await expectRefused(application, [
      [id('last_name'), 'Enter your last name. If you have one name, enter it here too.'],
      [
        id('phone'),
        'Enter a phone number such as +1 303 555 0100: 7 to 15 digits, spaces, ( ) . / and - between them, “ext. 12” at the end.',
      ],
      [id('website'), 'Enter a web address such as https://example.com.'],
      [id('services'), 'Choose at least one service.'],
    ]);

    await application.fill();
    await form.getByRole('textbox', { name: 'Website' }).fill('');
    await application.send().click();
    await expectAccepted(application);
    expect(await storedFields()).toEqual([{ ...application.fields, website: '' }]);
    expect(sent()).toHaveLength(1);
    expect(visitor.problems()).toEqual([]);
  });
});

describe('by keyboard alone', () => {
  const press = (key: string) => visitor.page.keyboard.press(key);
  const type = (text: string) => visitor.page.keyboard.type(text);

  test('a referral is rejected, corrected and sent', async () => {
    const form = referral.form();
    await tabTo(visitor.page, form.getByLabel('From: your email'));
    await type(email);
    await press('Tab');
    await type('ada@');
    await tabTo(visitor.page, referral.send());
    await press('Enter');
    await readSummary(form);
    await press('Tab');
    await press('Enter');
    expect(await isFocused(form.getByLabel('To: their emails'))).toBe(true);
    await press('End');
    await type('example.com');
    await tabTo(visitor.page, referral.send());
    await press('Space');
    await expectAccepted(referral);
    expect(await storedFields()).toEqual([expect.objectContaining({ to_emails: ['ada@example.com'] })]);
    await press('Tab');
    expect(await isFocused(visitor.page.getByRole('button', { name: 'Refer someone else' }))).toBe(true);
    expect(visitor.problems()).toEqual([]);
  });

  test('an application is filled in, in the order of the page, and sent', async () => {
    const form = application.form();
    await tabTo(visitor.page, form.getByLabel('First name'));
    for (const text of ['Zoë', "O'Neil", email, '+57 (1) 555-0100', 'Brücke & Co', 'example.com/team']) {
      await type(text);
      await press('Tab');
    }
    expect(await isFocused(form.getByLabel('Country'))).toBe(true);
    await type('Colo');
    await tabTo(visitor.page, form.getByLabel('Design'));
    await press('Space');
    await tabTo(visitor.page, form.getByLabel('Support'));
    await press('Space');
    await press('Tab');
    expect(await isFocused(form.getByRole('radio', { name: 'Customer' }))).toBe(true);
    for (let presses = 0; presses < 3; presses += 1) await press('ArrowDown');
    await press('Tab');
    expect(await isFocused(application.send())).toBe(true);
    await press('Enter');
    await expectAccepted(application);
    expect(await storedFields()).toEqual([application.fields]);
    expect(visitor.problems()).toEqual([]);
  });
});
