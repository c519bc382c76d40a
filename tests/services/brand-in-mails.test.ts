import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSiteHarness, type SiteHarness } from '@site/cli/testing/site-harness';
import { startForms } from '@site/forms/start';
import { newsletterEntry } from '@site/forms/testing/newsletter-entry';
import { readMail, startSmtp, type ReadMail, type TestSmtp } from '@site/forms/testing/start-smtp';
import { fullBrand } from '@site/registry/testing/brand';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { fakeIntervals, type IntervalClock } from '@site/server/testing/interval-clock';
import type { RunningServer } from '@site/server/start-server';
import { until } from '../e2e/harness/until.ts';

/** The brand of the live release, from the registry, in emails and pages of the forms service. Once set, it stays. */

let shared: TestDatabase;
let smtp: TestSmtp;
let site: SiteHarness;
let forms: RunningServer;
let intervals: IntervalClock;

async function start(asks: boolean): Promise<void> {
  const registry = {
    url: site.url,
    token: site.registry.tokens.read,
    channel: 'production',
    days: 7,
  } as const;
  forms = await startForms({
    port: 0,
    host: '127.0.0.1',
    database: shared.database,
    config: {
      jwksUrl: 'http://127.0.0.1:1/jwks.json',
      publicUrl: 'https://forms.example/',
      origins: ['https://site.example'],
      mail: { smtpUrl: smtp.url, from: 'Blocks <hello@blocks.example>' },
      registry: asks ? registry : null,
    },
  });
}

beforeAll(async () => {
  intervals = fakeIntervals('2026-01-01T12:00:00Z');
  shared = await startDatabase();
  smtp = await startSmtp();
  site = await createSiteHarness(shared.database);
  await site.registry.startSite();
  await site.startEdge();
  await start(true);
});
afterAll(async () => {
  await forms.close();
  await smtp.close();
  await shared.stop();
  intervals.restore();
});

/** Retries until it succeeds; the service checks its outbox and the registry every five seconds. */
const untilSeen = <T>(check: () => T | Promise<T>) =>
  until(() => {
    intervals.pass(5_000);
    return check();
  });

const page = async () => (await fetch(new URL('received?form=newsletter', forms.url))).text();

/** The email to the next newsletter subscriber. */
async function nextMail(): Promise<ReadMail> {
  const email = `${randomUUID()}@example.com`;
  const answer = await fetch(new URL('subscriptions', forms.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(newsletterEntry(email)),
  });
  expect(answer.status).toBe(201);
  return untilSeen(() => readMail(smtp.mails.find(({ to }) => to.includes(email))!.text));
}

const imprint = [
  'Acme',
  'Acme Parts, Inc., 1 Main Street, Denver, Colorado, United States',
  'Help: https://help.acme.test/',
  'Email: hello@acme.test',
];

async function expectAcme(): Promise<void> {
  const { headers, text, html } = await nextMail();
  expect(headers).toMatch(/^From: Acme <hello@blocks\.example>$/m);
  expect(headers).toMatch(/^Subject: Confirm your subscription to the Acme newsletter$/m);
  expect(text.trimEnd().split('\n').slice(-4)).toEqual(imprint);
  for (const written of [
    'Acme Parts, Inc., 1 Main Street',
    'href="https://help.acme.test/"',
    'href="mailto:hello@acme.test"',
  ])
    expect(html).toContain(written);
  expect(text + html).not.toContain('Blocks');
}

test("without a brand in the live release, emails and pages use the sender's name", async () => {
  const { headers, text } = await nextMail();
  expect(headers).toMatch(/^From: Blocks <hello@blocks\.example>$/m);
  expect(text.trimEnd()).toMatch(/\n\nBlocks$/);
  expect(await page()).toContain(' · Blocks</title>');
});

test('after a brand is set, the next emails and pages use it, even if the service restarts without the registry', async () => {
  const file = join(site.root, 'brand.json');
  await writeFile(file, JSON.stringify(fullBrand));
  const { code } = await site.site('config', 'set', '--brand', file, '--reason', 'we are Acme');
  expect(code).toBe(0);
  const shown = await untilSeen(async () => {
    const html = await page();
    expect(html).toContain(' · Acme</title>');
    return html;
  });
  expect(shown).toContain('<header><a href="https://site.example/home">Acme</a></header>');
  expect(shown).toContain(imprint[1]);
  expect(shown).toContain('href="https://help.acme.test/"');
  await expectAcme();

  // The registry is unreachable.
  await site.stop();
  await forms.close();
  await start(true);
  expect(await page()).toContain(' · Acme</title>');
  await expectAcme();
});

test("without a registry the sender's name is used again", async () => {
  await forms.close();
  await start(false);
  expect(await page()).toContain(' · Blocks</title>');
  expect((await nextMail()).headers).toMatch(/^From: Blocks </m);
});
