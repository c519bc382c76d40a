import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtemp, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSiteHarness, type SiteHarness } from '@site/cli/testing/site-harness';
import { formSources } from '@site/contract';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { submissionsCsv } from '@site/contract/inbox-export';
import { formsDefaults } from '@site/forms/config';
import { startForms } from '@site/forms/start';
import type { FormsTables } from '@site/forms/kernel/tables';
import { storedSubmission } from '@site/forms/testing/stored-submission';
import { startAlertReceiver, type AlertReceiver } from '@site/registry/testing/alert-receiver';
import { createToken } from '@site/server/secrets';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { RunningServer } from '@site/server/start-server';

const inboxToken = createToken();
const partner = formSources['partner-application'];
/** Text with a special meaning for terminals, spreadsheets or line readers. */
const HOSTILE = {
  first_name: "=cmd|'/c calc'!A1",
  last_name: '\u001b]0;owned\u0007\u001b[2J\u202egpj.exe',
  business_name: '"Bob", Inc.; <img src=x onerror=alert(1)>',
  message: 'one\r\nstate: handled, by Olivia\n\u2028three\rfour',
};

const stored = (more: object = {}) =>
  storedSubmission({
    source_id: partner,
    form_fields: JSON.stringify({ first_name: 'Ada', services: ['design', 'support'], reference_note: '' }),
    created_at: new Date('2026-03-01T12:00:00Z'),
    ...more,
  });

describe('the inbox, from a form to its handler', () => {
  let shared: TestDatabase;
  let forms: RunningServer;
  let site: SiteHarness;
  const tokens: Record<string, string> = {};
  const db = () => shared.database.schema<FormsTables>('forms');

  beforeAll(async () => {
    shared = await startDatabase();
    forms = await startForms({
      port: 0,
      host: '127.0.0.1',
      database: shared.database,
      config: {
        jwksUrl: 'http://127.0.0.1:1/jwks.json',
        rateLimit: { perAddress: 0, perGuest: 0 },
        inboxToken,
      },
    });
    site = await createSiteHarness(shared.database, { url: forms.url, token: inboxToken });
    for (const [name, ...scopes] of [
      ['rita', 'inbox'],
      ['leo', 'read'],
      ['ci', 'publish:mfe-blocks', 'activate:mfe-blocks'],
    ])
      tokens[name as string] = (
        await site.site('token', 'create', name as string, '--scope', ...scopes)
      ).out.trim();
  });
  afterAll(async () => {
    await site.stop();
    await forms.close();
    await shared.stop();
  });
  beforeEach(async () => {
    for (const table of ['subscriptions', 'access_log', 'notices'] as const)
      await db().deleteFrom(table).execute();
  });

  const as = (name: string, ...args: string[]) =>
    site.siteWith({ SITE_TOKEN: tokens[name] ?? '' }, 'inbox', ...args);
  const store = async (...rows: ReturnType<typeof stored>[]) => {
    await db().insertInto('subscriptions').values(rows).execute();
  };
  /** The inbox entries of the audit log, newest first. */
  const audited = async (count: number) => {
    const { events } = await site.siteJson<{
      events: { by: string; action: string; subject: string; details: object }[];
    }>('audit', '--action', 'inbox.', '--limit', String(count));
    return events.map(({ by, action, subject, details }) => ({ by, action, subject, ...details }));
  };

  test('lists each form with its new submissions, and one form with its senders', async () => {
    const application = stored();
    await store(application, stored({ suspected_spam: true }), stored({ source_id: 'mfe-careers/apply' }));
    expect((await as('rita')).out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['FORM', 'NEW', 'HANDLED', 'SPAM'],
      ['mfe-careers/apply', '1', '0', '0'],
      ['newsletter', '0', '0', '0'],
      ['partner-application', '1', '0', '1'],
      ['referral', '0', '0', '0'],
      [''],
    ]);
    const { code, out } = await as('rita', 'partner');
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(`^ID .*\\n${application.id}  2026-03-01 12:00:00 UTC  ada@example.com  new    -\\n$`),
    );
    expect((await as('rita', 'partner', '--state', 'spam')).out.match(/ada@/g)).toHaveLength(1);
    expect((await as('rita', 'newsletter')).out).toBe('no new submissions in "newsletter"\n');
    expect((await as('rita', 'mfe-careers/apply')).out).toContain('ada@example.com');
  });

  test('reports an unknown form', async () => {
    const names = 'newsletter, partner-application, referral';
    const hint = `no form "partners" has submissions; forms with submissions: ${names}\n`;
    expect((await as('rita', 'partners')).err).toBe(hint);
    expect((await as('rita', 'export', 'partners')).err).toBe(hint);
    expect((await as('rita', 'partner')).err).toBe('');
    expect((await as('rita', 'export', 'partner')).err).toBe('');
  });

  test('records who handled a submission, and removes it from the list', async () => {
    const application = stored();
    await store(application);
    expect((await as('leo', 'mark', application.id, 'handled', '--dry-run')).code).toBe(1);
    expect((await as('rita', 'mark', application.id, 'handled', '--dry-run')).out).toBe(
      'dry run: nothing was changed; the submission of ada@example.com to "partner-application" would be handled\n',
    );
    expect((await as('rita', 'partner')).out).toContain(' new ');
    const marked = await as('rita', 'mark', application.id, 'handled');
    expect(marked.out).toMatch(
      /^the submission of ada@example.com to "partner-application" is handled, by rita at \d{4}-.* UTC\n$/,
    );
    expect((await as('rita', 'partner')).out).toBe('no new submissions in "partner-application"\n');
    const again = await site.siteJson<{ markedBy: string }>('inbox', 'mark', application.id, 'handled');
    expect(again.markedBy).toBe('rita');
    expect((await as('rita', 'show', application.id)).out).toContain('state: handled, by rita at ');
    expect((await as('rita', 'mark', application.id, 'lost')).code).toBe(2);
    expect((await as('rita', 'show', randomUUID())).err).toContain('(submission_unknown)');
    expect((await as('rita', 'show', '../../healthz')).err).toContain('(submission_unknown)');
  });

  test('is only for tokens with its scope and for ops', async () => {
    const application = stored();
    await store(application);
    for (const args of [
      [],
      ['partner'],
      ['show', application.id],
      ['export', 'partner'],
      ['mark', application.id, 'spam'],
    ]) {
      for (const name of ['leo', 'ci']) {
        const { code, out, err } = await as(name, ...args);
        expect([code, out]).toEqual([1, '']);
        expect(err).toContain('This needs the scope "inbox"');
      }
      expect((await site.site('inbox', ...args)).code).toBe(0);
    }
    // It grants nothing else.
    for (const args of [['token', 'list'], ['audit'], ['alert', 'list']])
      expect((await site.siteWith({ SITE_TOKEN: tokens['rita'] ?? '' }, ...args)).err).toContain(
        'scope_missing',
      );
    const rows = await db().selectFrom('subscriptions').select('marked_by').execute();
    expect(rows).toEqual([{ marked_by: 'olivia' }]);
  });

  test('logs every read in the audit log and in the forms service, without contents', async () => {
    const application = stored();
    await store(application, stored({ email: 'bob@example.com' }));
    await as('rita', 'partner');
    await as('rita', 'show', application.id);
    await as('rita', 'export', 'partner');
    await as('rita', 'mark', application.id, 'handled');
    const of = { by: 'rita', subject: 'partner-application' };
    const log = await audited(4);
    expect(log).toEqual([
      { ...of, action: 'inbox.marked', submission: application.id, state: 'handled', count: 1 },
      { ...of, action: 'inbox.exported', state: 'all', count: 2 },
      { ...of, action: 'inbox.shown', submission: application.id, count: 1 },
      { ...of, action: 'inbox.listed', state: 'new', count: 2 },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/ada@|bob@|Ada/);
    const entries = await db()
      .selectFrom('access_log')
      .select(['by', 'action', 'count'])
      .orderBy('at')
      .execute();
    expect(entries).toEqual([
      { by: 'rita', action: 'listed', count: 2 },
      { by: 'rita', action: 'shown', count: 1 },
      { by: 'rita', action: 'exported', count: 2 },
      { by: 'rita', action: 'marked handled', count: 1 },
    ]);
  });

  test('exports all submissions of a form except spam, over any number of pages', async () => {
    const rows = Array.from({ length: 1_003 }, (_, index) => stored({ email: `ada-${index}@example.com` }));
    await store(...rows, stored({ email: 'mallory@example.com', suspected_spam: true }));
    const exported = (await as('rita', 'export', 'partner')).out;
    const csv = exported.trimEnd().split('\r\n');
    expect(csv[0]).toBe(
      '"id","form","sent_at","state","marked_by","marked_at","verified_by","visitor","email","first_name","services"',
    );
    expect(new Set(csv.slice(1)).size).toBe(1_003);
    expect(csv.join()).not.toContain('mallory');
    expect(csv[1]).toContain('"Ada","design; support"');
    const json = JSON.parse((await as('rita', 'export', 'partner', '--format', 'json')).out) as {
      submissions: Submission[];
    };
    const file = join(await mkdtemp(join(tmpdir(), 'inbox-')), 'partners.csv');
    expect((await as('rita', 'export', 'partner', '--output', file)).out).toBe('');
    expect(await readFile(file, 'utf8')).toBe(`\uFEFF${exported}`);
    // The console saves the same file.
    expect(exported).toBe(submissionsCsv(json.submissions));
    expect(json.submissions.map(({ email }) => email).toSorted()).toEqual(
      rows.map(({ email }) => email).toSorted(),
    );
    expect(await audited(3)).toMatchObject([{ count: 3 }, { count: 500 }, { count: 500 }]);
  });

  test('prints the newsletter subscribers with their consent, for tokens with its scope, and logs it', async () => {
    const [reader, spam] = [
      stored({ source_id: formSources.newsletter }),
      stored({ suspected_spam: true, source_id: formSources.newsletter }),
    ];
    await store(reader, spam, stored({ source_id: formSources.newsletter }));
    const confirmed = new Date('2026-03-02T12:00:00Z');
    await db()
      .insertInto('subscribers')
      .values(
        [reader, spam].map(({ id }, index) => ({
          id: randomUUID(),
          subscription_id: id,
          mailbox: randomUUID(),
          email: index === 0 ? '=ada@example.com' : 'mallory@example.com',
          confirmed_at: confirmed,
          wording: 'I want the letter, "weekly".',
        })),
      )
      .execute();
    const { out } = await as('rita', 'readers');
    expect(out).toMatch(
      /^"email","asked_at","confirmed_at","wording","unsubscribe_url"\r\n"'=ada@example.com","2026-03-01T12:00:00.000Z","2026-03-02T12:00:00.000Z","I want the letter, ""weekly"".","http:[^"]+\/newsletter\/unsubscribe\/[^"]+"\r\n$/,
    );
    expect((await as('leo', 'readers')).err).toContain('This needs the scope "inbox"');
    expect(await audited(1)).toEqual([
      { by: 'rita', action: 'inbox.readers', subject: 'newsletter', count: 1 },
    ]);
    const entries = await db().selectFrom('access_log').select(['by', 'action', 'form', 'count']).execute();
    expect(entries).toEqual([{ by: 'rita', action: 'subscribers', form: formSources.newsletter, count: 1 }]);
  });

  test('prints hostile texts escaped everywhere', async () => {
    const application = stored({ form_fields: JSON.stringify(HOSTILE), email: '=a@example.com' });
    await store(application);
    const shown = (await as('rita', 'show', application.id)).out;
    const csv = (await as('rita', 'export', 'partner')).out;
    const json = (await as('rita', 'export', 'partner', '--format', 'json')).out;
    for (const text of [shown, csv, json])
      expect(text.replaceAll(/\r\n|[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(shown).toContain('\\u001b]0;owned\\u0007\\u001b[2J\\u202egpj.exe');
    expect(shown).toContain('message: one\n  state: handled, by Olivia\n');
    // Foreign text cannot forge a line of ours.
    expect(shown.split('\n').filter((line) => line.startsWith('state:'))).toEqual(['state: new']);
    expect(csv).toContain(`"'=a@example.com","'=cmd|'/c calc'!A1"`);
    expect(csv).toContain('"""Bob"", Inc.; <img src=x onerror=alert(1)>"');
    const { submissions } = JSON.parse(json) as { submissions: { fields: object }[] };
    expect(submissions[0]?.fields).toEqual(HOSTILE);
  });
});

describe('webhook notifications about submissions', () => {
  let shared: TestDatabase;
  let forms: RunningServer;
  let site: SiteHarness;
  let receiver: AlertReceiver;

  beforeEach(async () => {
    shared = await startDatabase();
    forms = await startForms({
      port: 0,
      host: '127.0.0.1',
      database: shared.database,
      config: { jwksUrl: 'http://127.0.0.1:1/jwks.json', inboxToken },
    });
    site = await createSiteHarness(shared.database, { url: forms.url, token: inboxToken });
    receiver = await startAlertReceiver();
  });
  afterEach(async () => {
    await receiver.stop();
    await site.stop();
    await forms.close();
    await shared.stop();
  });

  const store = async (at: number, more: object = {}) => {
    const tables = shared.database.schema<FormsTables>('forms');
    await tables
      .insertInto('subscriptions')
      .values(stored({ created_at: new Date(at), ...more }))
      .execute();
  };
  /** The receiver's notifications after this many minutes. */
  const toldAfter = async (minutes: number) => {
    const { clock } = site.registry;
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
    const before = receiver.received.length;
    await site.registry.look();
    return receiver.received.slice(before).map(({ body }) => (body as { text: string }).text);
  };
  const waits = (count: string) =>
    `${count} in "partner-application": npx @site/cli inbox partner-application`;

  test('contain only counts, once per form and quarter of an hour, and are retried after a failure', async () => {
    const begin = Date.parse('2026-03-01T12:00:00Z');
    await store(begin);
    await store(begin + 1, { suspected_spam: true });
    // No receiver is configured yet.
    expect(await toldAfter(1)).toEqual([]);
    await site.site('alert', 'add', receiver.url, '--format', 'chat', '--kinds', 'inbox');
    receiver.manners = [500];
    await toldAfter(1);
    const [first] = receiver.received;
    receiver.manners = [200];
    await toldAfter(1);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(receiver.received.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ text: waits('1 submission waits') })),
    );

    await store(begin + 2);
    expect(await toldAfter(10)).toEqual([]);
    expect(await toldAfter(10)).toEqual([waits('2 submissions wait')]);
    expect(await toldAfter(60)).toEqual([]);

    await forms.close();
    expect(await toldAfter(2)).toEqual([]);
    forms = await startForms({
      port: Number(new URL(forms.url).port),
      host: '127.0.0.1',
      database: shared.database,
      config: { jwksUrl: 'http://127.0.0.1:1/jwks.json', inboxToken },
    });
    await store(begin + 3, { source_id: 'mfe-careers/apply' });
    expect(await toldAfter(2)).toEqual([
      '1 submission waits in "mfe-careers/apply": npx @site/cli inbox mfe-careers/apply',
    ]);
    expect(JSON.stringify(receiver.received)).not.toMatch(/ada@|Ada/);
  });
});

describe('an unreadable inbox', () => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await startDatabase();
  });
  afterAll(() => shared.stop());

  async function ran(inbox: { url: string; token: string } | null) {
    const site = await createSiteHarness(shared.database, inbox);
    try {
      const { code, out, err } = await site.site('inbox', 'partner');
      const { events } = await site.siteJson<{ events: unknown[] }>('audit', '--action', 'inbox.');
      expect([code, out, events]).toEqual([1, '', []]);
      return err;
    } finally {
      await site.stop();
    }
  }

  test('reports the remedy, and logs no read', async () => {
    expect(await ran(null)).toContain('(inbox_unconfigured)');
    expect(await ran({ url: 'http://127.0.0.1:1/', token: inboxToken })).toContain('does not answer');

    const forms = await startForms({
      port: 0,
      host: '127.0.0.1',
      database: shared.database,
      config: { ...formsDefaults, jwksUrl: 'http://127.0.0.1:1/', inboxToken: createToken() },
    });
    expect(await ran({ url: forms.url, token: inboxToken })).toContain('with another INBOX_TOKEN');
    await forms.close();

    const answers: [number, string, Record<string, string>?][] = [
      [200, '<html>'],
      [200, '{"data":[{"id":"x"}],"meta":{"before":null}}'],
      [200, 'null'],
      [500, '{"errors":[{"status":"500","code":"internal","title":"Internal error","detail":"x"}]}'],
      // Another server must not redirect the token or the reader's name.
      [302, '', { location: '/elsewhere' }],
    ];
    const server = createServer((request, response) => {
      if (request.url === '/elsewhere') return response.end('{"data":[],"meta":{"before":null}}');
      const [status, text, headers] = answers[0] ?? [500, ''];
      return response.writeHead(status, headers).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      while (answers.length > 0) {
        expect(await ran({ url, token: inboxToken })).toContain('(inbox_unavailable)');
        answers.shift();
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
