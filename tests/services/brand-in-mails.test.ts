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

/** The brand of the live release, as the registry has it, in what the forms service writes. The tests follow one another. */

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

/** Tries until it succeeds; the service looks at its outbox, and asks the registry, every five seconds. */
const untilSeen = <T>(check: () => T | Promise<T>) =>
  until(() => {
    intervals.pass(5_000);
    return check();
  });

const page = async () => (await fetch(new URL('received?form=newsletter', forms.url))).text();

/** The mail that the newsletter's next reader gets. */
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
  expect(headers).toMatch(/^Subject: Please confirm your subscription to the newsletter of Acme$/m);
  expect(text.trimEnd().split('\n').slice(-4)).toEqual(imprint);
  for (const written of [
    'Acme Parts, Inc., 1 Main Street',
    'href="https://help.acme.test/"',
    'href="mailto:hello@acme.test"',
  ])
    expect(html).toContain(written);
  expect(text + html).not.toContain('Blocks');
}

test('where the live release has none, mails and pages have the name of the sender', async () => {
  const { headers, text } = await nextMail();
  expect(headers).toMatch(/^From: Blocks <hello@blocks\.example>$/m);
  expect(text.trimEnd()).toMatch(/\n\nBlocks$/);
  expect(await page()).toContain(' · Blocks</title>');
});

test('once it is set, the next mails and pages have it, from the same address', async () => {
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
});

test('while the registry is away, what it said last stays, also after a restart', async () => {
  await site.stop();
  await forms.close();
  await start(true);
  expect(await page()).toContain(' · Acme</title>');
  await expectAcme();
});

test('without a registry it is the sender’s name again', async () => {
  await forms.close();
  await start(false);
  expect(await page()).toContain(' · Blocks</title>');
  expect((await nextMail()).headers).toMatch(/^From: Blocks </m);
});
