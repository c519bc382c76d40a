import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formSources } from '@site/contract';
import { readMail, type TestSmtp } from '@site/forms/testing/start-smtp';
import type { Site } from '../e2e/harness/site.ts';
import { until } from '../e2e/harness/until.ts';

/** File name prefixes of the forms service's emails and pages. */
export const MAIL = 'mail.';
export const FORMS_PAGE = 'forms.';

/**
 * Saves the HTML pages of the forms service for visitors without JavaScript in all states, and the HTML of its emails.
 * @returns the names of the files.
 */
export async function collectFormsPages(site: Site, smtp: TestSmtp, folder: string): Promise<string[]> {
  const names: string[] = [];
  async function keep(name: string, html: string): Promise<string> {
    names.push(`${name}.html`);
    await writeFile(join(folder, `${name}.html`), html);
    return html;
  }
  const pressing = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  async function page(name: string, status: number, url: string, init: RequestInit = {}): Promise<void> {
    const answer = await fetch(url, init);
    if (answer.status !== status) throw new Error(`${name}: ${answer.status} instead of ${status}`);
    await keep(`${FORMS_PAGE}${name}`, await answer.text());
  }
  const sent = (form: keyof typeof formSources, fields: Record<string, string>, origin = site.url) => ({
    method: 'POST',
    headers: { ...pressing.headers, origin },
    body: new URLSearchParams({ source_id: formSources[form], ...fields }).toString(),
  });
  /** The email to an address, and its links to the service. */
  async function mail(name: string, to: string): Promise<string[]> {
    const { html } = await until(() => {
      const found = smtp.mails.find((each) => each.to.includes(to));
      if (!found) throw new Error(`There is no mail to ${to}.`);
      return readMail(found.text);
    });
    await keep(`${MAIL}${name}`, html);
    return [...html.matchAll(/href="([^"]*)"/g)]
      .map(([, url = '']) => url.replaceAll('&amp;', '&'))
      .filter((url) => url.startsWith(site.forms));
  }

  // By now the service has received the brand.
  await until(async () => {
    const html = await (await fetch(`${site.forms}received?form=newsletter`)).text();
    if (!html.includes('<footer>')) throw new Error('The pages of the forms service have no brand.');
  });
  const subscriptions = `${site.forms}subscriptions`;
  for (const form of ['newsletter', 'referral', 'partner-application'] as const) {
    await page(
      `${form}-refused`,
      422,
      subscriptions,
      sent(form, { email: 'no address', how_heard: 'smoke' }),
    );
    await page(`${form}-received`, 200, `${site.forms}received?form=${form}`);
  }
  await page(
    'foreign',
    403,
    subscriptions,
    sent('newsletter', { email: 'a@example.com' }, 'https://foreign.example'),
  );

  await fetch(subscriptions, sent('newsletter', { email: 'judge@example.com' }));
  const [confirm = '', leave = '', noMail = ''] = await mail('newsletter', 'judge@example.com');
  await page('newsletter-confirm', 200, confirm);
  await page('newsletter-confirmed', 200, confirm, pressing);
  await page('newsletter-used', 410, confirm);
  await page('newsletter-leave', 200, leave);
  await page('newsletter-left', 200, leave, pressing);
  await page('newsletter-unknown', 404, confirm);
  await page('no-mail', 404, noMail);
  await mail('notice', 'judges@example.com');

  const to_emails = 'eve@example.com, sue@example.com';
  await fetch(subscriptions, sent('referral', { email: 'sue@example.com', to_emails, message: 'One\nTwo' }));
  const [look = ''] = await mail('referral', 'sue@example.com');
  await page('referral-confirm', 200, look);
  await page('referral-confirmed', 200, look, pressing);
  await page('referral-incomplete', 404, look.slice(0, -1));
  const [end = ''] = await mail('invitation', 'eve@example.com');
  await page('end', 200, end);
  await page('ended', 200, end, pressing);
  return names;
}
