import { randomUUID } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { formSources, HONEYPOT_FIELD, newsletterThanks, referralThanks } from '@site/contract';
import { sharedSite } from './harness/shared-site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { visitors, type Visitor } from './harness/visitor.ts';

// Plain form posts of a visitor without JavaScript, and the service's HTML responses.

const { url: site, forms } = sharedSite();

const newVisitor = visitors();
const stored = storedRows();
let visitor: Visitor;
let page: Page;
let email: string;
beforeEach(async () => {
  email = `${randomUUID()}@example.com`;
  visitor = await newVisitor({ javaScript: false });
  page = visitor.page;
});

/** A form on the site and, with the same labels, on the service's correction page. */
interface PlainForm {
  source: keyof typeof formSources;
  at: string;
  onSite: () => Locator;
  button: string;
  fill: (form: Locator) => Promise<void>;
  stored: () => unknown;
  thanks: string;
}

const newsletter: PlainForm = {
  source: 'newsletter',
  at: '/blocks',
  onSite: () => page.getByRole('region', { name: 'New blocks, in your inbox' }).locator('form'),
  button: 'Subscribe',
  fill: (form) => form.getByLabel('Email').fill(email),
  stored: () => email,
  thanks: newsletterThanks.by_mail.title,
};

const referral: PlainForm = {
  source: 'referral',
  at: '/partners',
  onSite: () => page.getByRole('form', { name: 'Refer someone' }),
  button: 'Send referral',
  async fill(form) {
    await form.getByLabel('From: your email').fill(email);
    await form.getByLabel('To: their emails').fill('ada@example.com, bob@example.org,\nADA@example.com');
    await form.getByLabel('Message').fill('\nHave a look.\n"It" is <free>.');
  },
  stored: () => ({
    to_emails: ['ada@example.com', 'bob@example.org'],
    message: 'Have a look.\n"It" is <free>.',
    [HONEYPOT_FIELD]: '',
  }),
  thanks: referralThanks.by_mail.title,
};

const application: PlainForm = {
  source: 'partner-application',
  at: '/partners',
  onSite: () => page.getByRole('form', { name: 'Apply as a partner' }),
  button: 'Send application',
  async fill(form) {
    await form.getByLabel('First name').fill('Zoë');
    await form.getByLabel('Last name').fill("O'Neil & Söhne");
    await form.getByRole('textbox', { name: 'Email' }).fill(email);
    await form.getByLabel('Phone').fill('+57 (1) 555-0100');
    await form.getByLabel('Business name').fill('"Brücke" <Co>');
    await form.getByRole('textbox', { name: 'Website' }).fill('example.com/team');
    await form.getByLabel('Country').selectOption({ label: 'Colombia' });
    await form.getByLabel('Design').check();
    await form.getByLabel('Support').check();
    await form.getByRole('radio', { name: 'Web research' }).check();
  },
  stored: () => ({
    first_name: 'Zoë',
    last_name: "O'Neil & Söhne",
    phone: '+57 (1) 555-0100',
    country: 'CO',
    business_name: '"Brücke" <Co>',
    website: 'https://example.com/team',
    services: ['design', 'support'],
    how_heard: 'web-research',
    [HONEYPOT_FIELD]: '',
  }),
  thanks: 'We’ve got your application',
};

const allForms = [
  ['newsletter', newsletter],
  ['referral', referral],
  ['partner application', application],
] as const;

const send = (form: Locator, { button }: PlainForm) => form.getByRole('button', { name: button }).click();

const givenBack = () => page.locator('main form');

const filledIn = (form: Locator) =>
  form.evaluate((node) =>
    [...new FormData(node as HTMLFormElement)]
      .filter(([name]) => !['source_id', 'captcha', 'site', 'reference_note'].includes(name))
      .map(([name, value]) => [
        (node as HTMLFormElement)
          .querySelector<HTMLInputElement>(`[name="${name}"]`)
          ?.labels?.[0]?.innerText.trim(),
        value as string,
      ]),
  );

async function expectStored(form: PlainForm, differing: object = {}): Promise<void> {
  const rows = await stored.subscriptions(email);
  expect(rows).toEqual([
    expect.objectContaining({
      source_id: formSources[form.source],
      visitor_unique_id: '',
      visitor_type: 'guest',
      // The marker of submissions without a captcha.
      verified_by: 'rate_limit',
      suspected_spam: false,
      ...differing,
    }),
  ]);
}

function storedFields(form: PlainForm, text: string): unknown {
  return form === newsletter ? text : (JSON.parse(text) as unknown);
}

describe.each(allForms)('the %s', (_name, form) => {
  test('is stored once, marked as without a captcha, and answered with a page', async () => {
    await page.goto(site + form.at);
    await form.fill(form.onSite());
    await send(form.onSite(), form);
    await page.getByRole('heading', { name: form.thanks }).waitFor();
    expect(page.url()).toContain(`${forms}received?`);
    await expectStored(form);
    const [row] = await stored.subscriptions(email);
    expect(storedFields(form, row!.form_fields)).toEqual(form.stored());

    // Neither a reload nor Back and a resubmission stores it twice.
    await page.reload();
    await page.getByRole('heading', { name: form.thanks }).waitFor();
    await page.goBack();
    await form.fill(form.onSite());
    await send(form.onSite(), form);
    await page.getByRole('heading', { name: form.thanks }).waitFor();
    expect(await stored.subscriptions(email)).toHaveLength(1);

    await page.getByRole('link', { name: 'Back to the site' }).click();
    await page.waitForURL(`${site}/**`);
    expect(visitor.problems()).toEqual([]);
  });

  test('with the honeypot filled in is stored as suspected spam with the same response', async () => {
    await page.goto(site + form.at);
    await form.fill(form.onSite());
    await form.onSite().locator(`[name=${HONEYPOT_FIELD}]`).fill('Buy now', { force: true });
    await send(form.onSite(), form);
    await page.getByRole('heading', { name: form.thanks }).waitFor();
    await expectStored(form, { suspected_spam: true });
    expect(visitor.problems()).toEqual([]);
  });
});

describe('the service’s validation errors', () => {
  /** The messages in the summary, each with its link target, and those at the fields. */
  async function expectProblems(problems: [field: string, message: string][]): Promise<void> {
    await page.getByRole('heading', { name: 'Please correct the form' }).waitFor();
    const links = page.getByRole('alert').getByRole('link');
    expect(
      await links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href')?.slice(1), link.textContent]),
      ),
    ).toEqual(problems);
    for (const [field, message] of problems) {
      expect(await page.locator(`[id="${field}-error"]`).innerText()).toBe(message);
      expect(await page.locator(`[id="${field}"]`).getAttribute('aria-describedby')).toContain(
        `${field}-error`,
      );
      expect(await page.locator(`[id="${field}"]`).isVisible()).toBe(true);
    }
    expect(await page.locator('.error').count()).toBe(problems.length);
    await expectAccessible();
  }

  /** In a separate page: axe is a script, and the visitor has none. */
  async function expectAccessible(): Promise<void> {
    const { page: copy, close } = await newVisitor();
    await copy.setContent(await page.content());
    expect((await new AxeBuilder({ page: copy }).setLegacyMode().analyze()).violations).toEqual([]);
    await close();
  }

  test('of a referral return the form filled in, each message at its field, and allow a correction there', async () => {
    await page.goto(`${site}/partners`);
    const form = referral.onSite();
    await referral.fill(form);
    await form.getByLabel('To: their emails').fill('ada@example.com, bob@');
    const before = await filledIn(form);
    await send(form, referral);
    await expectProblems([['to_emails', '“bob@”: Enter an email address such as name@example.com.']]);
    expect(await filledIn(givenBack())).toEqual(before);
    expect(await stored.subscriptions(email)).toEqual([]);

    await givenBack().getByLabel('To: their emails').fill('ada@example.com');
    await send(givenBack(), referral);
    await page.getByRole('heading', { name: referral.thanks }).waitFor();
    await expectStored(referral);
    await page.getByRole('link', { name: 'Back to the site' }).click();
    await page.waitForURL(`${site}/partners#refer`);
    // The browser logs the status 422.
    expect(visitor.problems()).toEqual([expect.stringContaining('422')]);
  });

  test('have checkboxes in the site’s dark colors, none in a browser gray', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${site}/partners`);
    await application.fill(application.onSite());
    await application.onSite().getByLabel('Phone').fill('12 34');
    await send(application.onSite(), application);
    await page.getByRole('heading', { name: 'Please correct the form' }).waitFor();
    const readColors = (control: Locator) =>
      control.evaluate((element) => {
        const { appearance, backgroundColor } = getComputedStyle(element);
        return { appearance, backgroundColor };
      });
    const sheet = (await readColors(givenBack().getByLabel('Phone'))).backgroundColor;
    expect(sheet).toBe('rgb(18, 36, 74)');
    for (const box of [givenBack().getByLabel('Sells'), givenBack().getByLabel('Partner')])
      expect(await readColors(box)).toEqual({ appearance: 'none', backgroundColor: sheet });
    expect((await readColors(givenBack().getByLabel('Design'))).backgroundColor).not.toBe(sheet);
  });

  test('of an application return the form filled in, until it is valid', async () => {
    await page.goto(`${site}/partners`);
    const form = application.onSite();
    await application.fill(form);
    // Values that pass the browser's own checks.
    await form.getByLabel('Last name').fill('   ');
    await form.getByLabel('Phone').fill('12 34');
    await form.getByRole('textbox', { name: 'Website' }).fill('not a site');
    await form.getByLabel('Design').uncheck();
    await form.getByLabel('Support').uncheck();
    const before = await filledIn(form);
    await send(form, application);
    await expectProblems([
      ['last_name', 'Enter your last name. If you have one name, enter it here too.'],
      [
        'phone',
        'Enter a phone number such as +1 303 555 0100: 7 to 15 digits, spaces, ( ) . / and - between them, “ext. 12” at the end.',
      ],
      ['website', 'Enter a web address such as https://example.com.'],
      ['services', 'Choose at least one service.'],
    ]);
    expect(await filledIn(givenBack())).toEqual(before);

    await givenBack().getByLabel('Last name').fill('Neil');
    await send(givenBack(), application);
    await page
      .getByRole('alert')
      .getByText('Enter your last name. If you have one name, enter it here too.')
      .waitFor({ state: 'detached' });
    await givenBack().getByLabel('Phone').fill('+1 303 555 0100');
    await givenBack().getByRole('textbox', { name: 'Website' }).fill('');
    await givenBack().getByLabel('Development').check();
    await send(givenBack(), application);
    await page.getByRole('heading', { name: application.thanks }).waitFor();
    await expectStored(application);
    const [row] = await stored.subscriptions(email);
    expect(JSON.parse(row!.form_fields)).toEqual({
      ...(application.stored() as object),
      last_name: 'Neil',
      phone: '+1 303 555 0100',
      website: '',
      services: ['development'],
    });
  });

  test('of a newsletter address have the specification’s wording', async () => {
    await page.goto(`${site}/home`);
    const form = newsletter.onSite();
    // Browsers reject it as well, but not every program that sends forms does.
    await form.getByLabel('Email').evaluate((field: HTMLInputElement) => {
      if (field.form) field.form.noValidate = true;
    });
    await form.getByLabel('Email').fill('ada@localhost');
    await send(form, newsletter);
    await expectProblems([['email', 'You need to provide a valid email to subscribe.']]);
    expect(await givenBack().getByLabel('Email').inputValue()).toBe('ada@localhost');
    await newsletter.fill(givenBack());
    await send(givenBack(), newsletter);
    await page.getByRole('heading', { name: newsletter.thanks }).waitFor();
    await expectStored(newsletter);
  });
});
