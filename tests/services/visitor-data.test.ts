import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere, type Ran } from '@site/cli/testing/run-here';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase, type PostgresDatabase } from '@site/server/testing/each-database';
import { startPair, type ServicePair } from './harness/service-pair.ts';
import { siteIn } from './harness/site-command.ts';
import { call, newGuest, writes } from './harness/visitor-calls.ts';

const adminToken = createToken();
const site = (env: Record<string, string>, ...args: string[]) => runHere(process.cwd(), env, ...args);
/** In a child process: one export and one erasure. */
const siteProcess = (env: Record<string, string>, ...args: string[]) => siteIn(process.cwd(), env, ...args);
/** The files of "npm start" in the data folder. */
const keepTokens = (folder: string) =>
  writeFile(join(folder, 'tokens.json'), JSON.stringify({ ops: 'x', edge: 'x', admin: adminToken }));

describe("a visitor's data", () => {
  let folder: string;
  let postgres: PostgresDatabase;
  let pair: ServicePair;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-visitor-'));
    postgres = await newPostgresDatabase();
    pair = await startPair(() => ({ ADMIN_TOKEN: adminToken, DATABASE_URL: postgres.url }));
    env = { DATA_DIR: folder };
    const urls = { gateway: `${pair.gateway.url}/`, forms: `${pair.forms.url}/` };
    await writeFile(
      join(folder, 'running.json'),
      JSON.stringify({ registry: 'http://localhost:8083', ...urls }),
    );
    await keepTokens(folder);
  });
  afterAll(async () => {
    await pair.end();
    await postgres.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function newVisitor(email: string): Promise<string> {
    const { id, token } = await newGuest(pair.gateway.url);
    await writes.register(pair.forms.url, id, token);
    await writes.subscribe(pair.forms.url, { id, token }, email);
    const referral = await writes.refer(
      pair.forms.url,
      { id, token },
      { email, recipients: ['friend@example.org'] },
    );
    expect(referral.status).toBe(201);
    return id;
  }
  const parseOutput = ({ out }: Pick<Ran, 'out'>) =>
    JSON.parse(out) as Record<string, Record<string, unknown[]>>;
  const isUnknown = async (id: string) => {
    const { code, err } = await site(env, 'visitor', 'export', id, '--json');
    return code === 1 && (JSON.parse(err) as { error: { code: string } }).error.code === 'visitor_unknown';
  };

  test('is exported from both services as one JSON document', async () => {
    const id = await newVisitor('ada@example.com');
    const ended = await siteProcess(env, 'visitor', 'export', id, '--email', 'Ada@example.com');
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(parseOutput(ended)).toMatchObject({
      visitor: id,
      exported_at: expect.any(String) as unknown,
      gateway: { guests: [{ unique_id: id }] },
      forms: {
        identities: [{ unique_id: id, role_name: 'guest' }],
        subscriptions: [{ email: 'ada@example.com' }, { email: 'ada@example.com' }],
        emails: [
          // The confirmation emails of the newsletter and the referral.
          { recipient: 'ada@example.com', sender: 'ada@example.com' },
          { recipient: 'ada@example.com', sender: 'ada@example.com' },
          { recipient: 'friend@example.org', sender: 'ada@example.com' },
        ],
      },
    });
  });

  test('with email addresses is withheld from an export by guest id alone', async () => {
    const id = await newVisitor('grace@example.com');
    for (const proof of [[], ['--email', 'mallory@example.com']]) {
      const { code, out } = await site(env, 'visitor', 'export', id, ...proof);
      expect([code, out.includes('grace'), out.includes('friend@')]).toEqual([0, false, false]);
      expect(parseOutput({ out })).toMatchObject({
        gateway: { guests: [{ unique_id: id }] },
        forms: { subscriptions: [{ withheld: true }, { withheld: true }] },
      });
    }
  });

  test('is counted by a dry run without changes, then erased, which works once', async () => {
    const id = await newVisitor('ada@example.com');
    const dry = await site(env, 'visitor', 'erase', id, '--dry-run');
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.out).toMatch(/forms +emails +3\n(.|\n)*gateway +guests +1\nnothing was removed\n$/);
    expect(await isUnknown(id)).toBe(false);

    const erased = await siteProcess(env, 'visitor', 'erase', id, '--json');
    expect([erased.code, erased.err]).toEqual([0, '']);
    expect(JSON.parse(erased.out)).toMatchObject({
      visitor: id,
      dryRun: false,
      services: [
        { service: 'forms', rows: { identities: 1, subscriptions: 2, emails: 3 } },
        { service: 'gateway', rows: { guests: 1 } },
      ],
    });
    expect(await isUnknown(id)).toBe(true);
    const again = await site(env, 'visitor', 'erase', id);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toMatch(`Nothing is stored about "${id}".`);
    expect(again.err).toMatch('(visitor_unknown)');
  });

  test('remaining in one service after an interrupted erasure is removed by the next one', async () => {
    const id = await newVisitor('ada@example.com');
    await call('DELETE', `${pair.forms.url}/admin/visitors/${id}`, { token: adminToken });
    const { code, out } = await site(env, 'visitor', 'erase', id);
    expect(code).toBe(0);
    expect(out).not.toMatch('forms');
    expect(out).toMatch(/gateway keeps the audit entry [0-9a-f-]{36} of /);
    expect(await isUnknown(id)).toBe(true);
  });

  test('is found by email address, exported and erased, in both services', async () => {
    const { id, token } = await newGuest(pair.gateway.url);
    await writes.subscribe(pair.forms.url, { id, token }, 'Lovelace@example.com');
    const exported = await site(env, 'visitor', 'export', '--email', 'lovelace@example.com');
    expect([exported.code, exported.err]).toEqual([0, '']);
    expect(parseOutput(exported)).toMatchObject({
      visitor: 'lovelace@example.com',
      gateway: {},
      forms: { subscriptions: [{ email: 'Lovelace@example.com', visitor_unique_id: id }] },
    });
    const erased = await site(env, 'visitor', 'erase', '--email', 'lovelace@example.com', '--json');
    expect([erased.code, erased.err]).toEqual([0, '']);
    expect(JSON.parse(erased.out)).toMatchObject({
      services: [{ service: 'forms', rows: { subscriptions: 1 } }],
    });
    const again = await site(env, 'visitor', 'erase', '--email', 'lovelace@example.com');
    expect(again.code).toBe(1);
    // The guest was not part of it.
    expect(await isUnknown(id)).toBe(false);
  });

  test('is unchanged while one service is unreachable, which the message names', async () => {
    const id = await newVisitor('ada@example.com');
    const { code, err } = await site({ ...env, SITE_FORMS: 'http://localhost:1' }, 'visitor', 'erase', id);
    expect(code).toBe(1);
    expect(err).toMatch('The forms service at http://localhost:1 does not respond.');
    expect(err).toMatch('(service_unreachable)');
    expect(await isUnknown(id)).toBe(false);
    const stored = await call('GET', `${pair.gateway.url}/admin/visitors/${id}`, { token: adminToken });
    expect(stored.status).toBe(200);
  });

  test('requires the right token, which the message does not repeat', async () => {
    const id = await newVisitor('ada@example.com');
    const token = createToken();
    const { code, out, err } = await site({ ...env, SITE_ADMIN_TOKEN: token }, 'visitor', 'export', id);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch('SITE_ADMIN_TOKEN. (admin_token_invalid)');
    expect(err).not.toContain(token);
  });
});

test('the token of this machine is not sent to other machines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-visitor-'));
  await keepTokens(folder);
  const env = {
    DATA_DIR: folder,
    SITE_GATEWAY: 'https://gateway.invalid',
    SITE_FORMS: 'https://forms.invalid',
  };
  const { code, err } = await site(env, 'visitor', 'export', randomUUID());
  expect(code).toBe(1);
  expect(err).toMatch('There is no admin token for https://forms.invalid: set SITE_ADMIN_TOKEN');
  await rm(folder, { recursive: true });
});

test.each([
  [['visitor', 'export', 'someone'], 'A guest id is a UUID'],
  [['visitor', 'erase'], "missing required argument 'guest-id', or --email <address>"],
  [['visitor', 'erase', randomUUID(), '--email', 'a@example.com'], 'either a guest id or --email'],
  [['visitor', 'export', '--email', 'ada'], 'It must be an email address'],
  [['visitor', 'forget', randomUUID()], "unknown command 'forget'"],
])('the wrong command line %j exits with 2 and the reason', async (args, message) => {
  const { code, out, err } = await site({}, ...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});
