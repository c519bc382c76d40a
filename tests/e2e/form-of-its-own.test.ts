import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import type { Locator, Page } from 'playwright-core';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { startSite, type Site } from './harness/site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { open, visitors, type Visitor, type VisitorOptions } from './harness/visitor.ts';

/** A team's page with its own form: the team declares the form, publishes, and reads the submissions. */

const fixture = join(import.meta.dirname, '../fixtures/form-of-its-own');

let checkout: CheckoutCopy;
let site: Site;
const newVisitor = visitors();

beforeAll(async () => {
  checkout = await copyCheckout();
  await promisify(execFile)(
    join(checkout.root, 'node_modules/.bin/node'),
    ['delivery/local/src/new-remote.ts', 'mfe-careers', '--owner', 'people', '--path', '/careers'],
    { cwd: checkout.root },
  );
  await cp(fixture, join(checkout.root, 'mfe-careers'), { recursive: true });
  const config = 'mfe-careers/remote.config.ts';
  await checkout.edit(config, '  redirects: [],', '  redirects: [],\n  forms: [applyForm],');
  await checkout.edit(
    config,
    'export default',
    "import { applyForm } from './src/forms/apply-form.ts';\n\nexport default",
  );
  // Every build in this checkout is published and activated.
  site = await startSite({ root: checkout.root, brand: { name: 'Acme' } });
});
afterAll(async () => {
  await site.stop();
  await checkout.remove();
});

const stored = storedRows(() => site.databaseUrl ?? '');

async function visit(options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await newVisitor(options);
  if (options.javaScript === false) await visitor.page.goto(`${site.url}/careers`);
  else await open(visitor, `${site.url}/careers`);
  return visitor;
}
const formOn = (page: Page): Locator => page.getByRole('form', { name: 'Apply for a job' });

async function fill(form: Locator, email: string): Promise<void> {
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Your name').fill('Ada Lovelace');
  await form.getByLabel('Role').selectOption('Engineer');
}
const send = (form: Locator) => form.getByRole('button', { name: 'Send application' }).click();
const arrived = (page: Page) => page.getByRole('status').getByText('We answer within a week.').waitFor();

/** The operators' view of the form. */
async function submissions(): Promise<Submission[]> {
  const { code, stdout, stderr } = await site.cli('inbox', 'export', 'mfe-careers/apply', '--json');
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { submissions: Submission[] }).submissions;
}
const sentBy = async (email: string) => (await submissions()).filter((each) => each.email === email);

async function publish(): Promise<string> {
  const { code, stdout, stderr } = await site.cli('publish', 'mfe-careers');
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return /published (\S+)/.exec(stdout)?.[1] ?? '';
}

test('a submission with JavaScript arrives once, with a captcha and the guest', async () => {
  const { page, problems } = await visit();
  const form = formOn(page);
  expect(await form.getByLabel('About you').inputValue()).toBe('Hello Acme,');
  await send(form);
  await page.getByRole('link', { name: 'Enter your name.' }).waitFor();
  await fill(form, 'ada@example.com');
  await send(form);
  await arrived(page);
  expect(await sentBy('ada@example.com')).toEqual([
    expect.objectContaining({
      fields: {
        full_name: 'Ada Lovelace',
        role: 'engineer',
        about: 'Hello Acme,',
      },
      verifiedBy: 'captcha',
      visitor: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    }),
  ]);
  expect(await stored.subscriptions('ada@example.com')).toMatchObject([
    { source_id: 'mfe-careers/apply', verified_by: 'captcha', suspected_spam: false },
  ]);
  expect(problems()).toEqual([]);
});

test('without JavaScript an invalid submission is returned filled in, and can be corrected there', async () => {
  const { page } = await visit({ javaScript: false });
  await fill(formOn(page), 'bob@example.com');
  await formOn(page).getByLabel('About you').fill('See https://example.com');
  await send(formOn(page));
  await page.getByRole('heading', { name: 'Please correct the form' }).waitFor();
  const again = formOn(page);
  expect(await again.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
  expect(await again.getByLabel('Role').inputValue()).toBe('engineer');
  await again.getByLabel('About you').fill('Nothing to see.');
  await send(again);
  await page.getByText('We answer within a week.').waitFor();
  expect(await page.getByRole('link', { name: 'Back to the site' }).getAttribute('href')).toBe(
    `${site.url}/careers#apply`,
  );
  expect(await sentBy('bob@example.com')).toMatchObject([
    { verifiedBy: 'rate_limit', fields: { about: 'Nothing to see.' } },
  ]);
  expect(await stored.subscriptions('bob@example.com')).toMatchObject([{ source_id: 'mfe-careers/apply' }]);
});

test('a tab opened before a form change can still submit, one opened later has the new field; the same after a rollback', async () => {
  const before = await visit();
  await checkout.edit(
    'mfe-careers/src/forms/apply-form.ts',
    '    role: {',
    "    phone: { kind: 'phone', label: 'Phone', missing: 'Enter a phone number.' },\n    role: {",
  );
  const version = await publish();
  expect(await site.cli('activate', version, '--reason', 'we call')).toMatchObject({ code: 0 });

  const after = await visit();
  await fill(formOn(after.page), 'eve@example.com');
  await send(formOn(after.page));
  await after.page.getByRole('link', { name: 'Enter a phone number.' }).waitFor();
  await formOn(after.page).getByLabel('Phone').fill('+1 303 555 0100');
  await send(formOn(after.page));
  await arrived(after.page);
  expect(await sentBy('eve@example.com')).toMatchObject([{ fields: { phone: '+1 303 555 0100' } }]);

  await fill(formOn(before.page), 'old-tab@example.com');
  await send(formOn(before.page));
  await arrived(before.page);
  expect(await sentBy('old-tab@example.com')).toHaveLength(1);

  const waiting = await visit();
  await fill(formOn(waiting.page), 'late@example.com');
  await formOn(waiting.page).getByLabel('Phone').fill('+1 303 555 0101');
  expect(await site.cli('rollback', 'mfe-careers', '--reason', 'nobody calls')).toMatchObject({ code: 0 });
  await send(formOn(waiting.page));
  await arrived(waiting.page);
  expect(await sentBy('late@example.com')).toMatchObject([{ fields: { phone: '+1 303 555 0101' } }]);
  expect(
    await formOn((await visit()).page)
      .getByLabel('Phone')
      .count(),
  ).toBe(0);
});

test("a visitor's submissions are exported and erased with the rest of the visitor's data", async () => {
  const exported = await site.cli('visitor', 'export', '--email', 'ada@example.com');
  expect([exported.code, exported.stdout]).toEqual([
    0,
    expect.stringContaining('mfe-careers/apply') as string,
  ]);
  expect((await site.cli('visitor', 'erase', '--email', 'ada@example.com')).code).toBe(0);
  expect(await stored.subscriptions('ada@example.com')).toEqual([]);
});

test("an app cannot declare another app's form", async () => {
  await checkout.edit('mfe-careers/src/forms/apply-form.ts', "'mfe-careers/apply'", "'mfe-partners/apply'");
  const { code, stderr } = await site.cli('publish', 'mfe-careers');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('The identifier of a form of this remote begins with "mfe-careers/"') as string,
  ]);
});
