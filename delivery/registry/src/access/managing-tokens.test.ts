import * as v from 'valibot';
import { TokenMadeSchema, TokensAnswerSchema } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createToken } from '@site/server/secrets';
import type { BootstrapToken } from './tokens.ts';
import { createRegistryApp } from '../create-registry-app.ts';
import { checkAuditLog } from '../upkeep/audit-log-check.repository.ts';
import { createHarness, registryTables, testAuditKey } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const code = ({ body }: { body: object }) => (body as { errors?: { code: string }[] }).errors?.[0]?.code;
const make = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await registry.send('POST', '/v1/tokens', { body: { name: 'ci cases', ...body }, headers });
  return v.parse(TokenMadeSchema, answer.body);
};
const withToken = (token: string | null) => ({ headers: { authorization: `Bearer ${token ?? ''}` } });
const opens = async (token: string | null) =>
  (await registry.send('GET', '/v1/apps', withToken(token))).status === 200;
const list = async () => v.parse(TokensAnswerSchema, (await registry.send('GET', '/v1/tokens')).body).tokens;
const revoke = (id: string, body: object = { reason: 'left the team' }) =>
  registry.send('POST', `/v1/tokens/${id}/revocations`, { body });

test('a new token has its scopes immediately and until it expires', async () => {
  await registry.send('POST', '/v1/apps', {
    body: { app: 'mfe-cases', owner: 'cases', paths: ['/cases/*'] },
  });
  const { token, scopes, expiresAt } = await make({ scopes: ['publish:mfe-cases'], expiresInDays: 2 });
  expect([scopes, expiresAt]).toEqual([['publish:mfe-cases'], '2026-01-03T12:00:00.000Z']);
  const own = await registry.publish(remoteManifest('mfe-cases'), withToken(token));
  const foreign = await registry.publish(remoteManifest('mfe-partners'), withToken(token));
  expect([own.status, foreign.status, code(foreign)]).toEqual([201, 403, 'scope_missing']);
  registry.clock.now = new Date('2026-01-03T11:59:59.999Z');
  expect(await opens(token)).toBe(true);
  registry.clock.now = new Date('2026-01-03T12:00:00.000Z');
  expect(await opens(token)).toBe(false);
});

test('a token is shown once and stored nowhere', async () => {
  const { token } = await make({ scopes: ['read'] }, { 'idempotency-key': 'k' });
  expect(JSON.stringify(await list())).not.toContain(token);
  for (const table of ['tokens', 'idempotency_keys', 'audit_events'] as const) {
    const rows = await registryTables(registry).selectFrom(table).selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  }
});

test('the response and all its retries have the same secret, even concurrently', async () => {
  for (const key of ['one', 'two', 'three']) {
    const headers = { 'idempotency-key': key };
    const answers = await Promise.all(Array.from({ length: 4 }, () => make({ scopes: ['read'] }, headers)));
    const [first] = answers;
    expect(answers).toEqual(answers.map(() => first));
    expect(await opens(first?.token ?? '')).toBe(true);
  }
  expect((await list()).filter(({ name }) => name === 'ci cases')).toHaveLength(3);
});

test('a retry reports that the token was revoked or has expired, without a secret', async () => {
  const body = { name: 'ci cases', scopes: ['read'], expiresInDays: 1 };
  const retry = (key: string) =>
    registry.send('POST', '/v1/tokens', { body, headers: { 'idempotency-key': key } });
  const { id } = await make(body, { 'idempotency-key': 'one' });
  await revoke(id);
  const revoked = await retry('one');
  expect([revoked.status, revoked.body.errors[0]?.code]).toEqual([404, 'token_unknown']);
  expect(revoked.body.errors[0]?.detail).toContain(`(${id}), which was revoked at`);
  await make(body, { 'idempotency-key': 'two' });
  registry.clock.now = new Date(registry.clock.now.getTime() + 86_400_000);
  expect((await retry('two')).body.errors[0]?.detail).toContain('which expired at');
});

test('a revoked token is rejected, and the audit log has who revoked it and why', async () => {
  const { id, token } = await make({ scopes: ['publish:mfe-cases'] });
  expect((await revoke(id, { reason: 'a try', dryRun: true })).body).toMatchObject({
    changed: true,
    dryRun: true,
  });
  expect(await opens(token)).toBe(true);
  expect((await revoke(id)).body).toMatchObject({ id, changed: true });
  expect(await opens(token)).toBe(false);
  expect((await revoke(id)).body).toMatchObject({ changed: false });
  expect((await list()).find((row) => row.id === id)).toMatchObject({
    revokedAt: '2026-01-01T12:00:00.000Z',
    active: false,
  });
  const events = await registryTables(registry)
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('sequence')
    .execute();
  expect(events.map(({ action, by }) => [action, by])).toEqual([
    ['token.configured', '(configuration)'],
    ['token.made', 'olivia'],
    ['token.revoked', 'olivia'],
  ]);
  expect(events[2]?.details).toEqual({ name: 'ci cases', reason: 'left the team' });
});

test('a token cannot revoke itself, and an unknown token is reported', async () => {
  const own = (await list()).find(({ name }) => name === 'olivia')?.id ?? '';
  expect(code(await revoke(own))).toBe('token_in_use');
  const unknown = await revoke('nobody');
  expect([unknown.status, code(unknown)]).toEqual([404, 'token_unknown']);
});

test('a dry run creates none', async () => {
  const before = (await list()).length;
  expect(await make({ scopes: ['read'], dryRun: true })).toMatchObject({ token: null, dryRun: true });
  expect(await list()).toHaveLength(before);
});

test.each<[string, object]>([
  ['no scope', { scopes: [] }],
  ['a scope that does not exist', { scopes: ['admin'] }],
  ['a scope for every app', { scopes: ['publish:*'] }],
  ['no name', { name: ' ', scopes: ['read'] }],
  ['the name of the guard', { name: 'Guard', scopes: ['read'] }],
  ['a name over several lines', { name: 'a\nb', scopes: ['read'] }],
  ['no life at all', { scopes: ['read'], expiresInDays: 0 }],
  ['half a day', { scopes: ['read'], expiresInDays: 0.5 }],
  ['an unknown field', { scopes: ['read'], hash: 'abc' }],
])('a token with %s is rejected', async (_what, body) => {
  const answer = await registry.send('POST', '/v1/tokens', { body: { name: 'ci', ...body } });
  expect([answer.status, code(answer)]).toEqual([422, 'body_invalid']);
});

test.each(['blocks', 'activator', 'read', 'edge'] as const)(
  '%s creates, sees and revokes no token',
  async (as) => {
    const { id } = await make({ scopes: ['read'] });
    const refused = [
      await registry.send('POST', '/v1/tokens', { as, body: { name: 'mine', scopes: ['ops'] } }),
      await registry.send('GET', '/v1/tokens', { as }),
      await registry.send('POST', `/v1/tokens/${id}/revocations`, { as, body: { reason: 'no' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  },
);

describe('a stolen publish token of one remote', () => {
  test('has no access to another remote, the site or the registry', async () => {
    const { partners } = await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.publish(next);
    // Prerequisites: a canary of the remote itself may be changed by its activation token.
    await registry.activate({ 'mfe-blocks': next.version }, { share: 10 });
    const as = 'blocks' as const;
    const reason = 'stolen';
    const post = (path: string, body: object = { reason }) =>
      registry.send('POST', `/v1/${path}`, { as, body });
    const channel = 'channels/production';
    const attempts = {
      publishForeign: await registry.publish(remoteManifest('mfe-partners', { contents: 2 }), { as }),
      checkForeign: await registry.publish(remoteManifest('mfe-partners', { contents: 2 }), {
        as,
        query: '?dry-run=true',
      }),
      publishShell: await registry.publish({ ...next, app: 'shell' }, { as }),
      previewForeign: await post('previews', { app: 'mfe-partners', version: partners.version }),
      activate: await registry.activate({ 'mfe-blocks': next.version }, {}, { as }),
      canary: await registry.activate({ 'mfe-blocks': next.version }, { share: 1 }, { as }),
      tryActivation: await registry.activate({ 'mfe-blocks': next.version }, { dryRun: true }, { as }),
      rollBack: await registry.rollBack({ app: 'mfe-blocks' }, { as }),
      freeze: await post(`${channel}/freezes`),
      unfreeze: await post(`${channel}/unfreezes`),
      quarantine: await post(`apps/mfe-partners/versions/${partners.version}/quarantines`),
      quarantineOwn: await post(`apps/mfe-blocks/versions/${next.version}/quarantines`),
      unquarantine: await post(`apps/mfe-blocks/versions/${next.version}/unquarantines`),
      share: await post(`${channel}/canary`, { reason, share: 99 }),
      promote: await post(`${channel}/promotions`),
      abort: await post(`${channel}/aborts`, { reason, quarantine: true }),
      makeToken: await post('tokens', { name: 'mine', scopes: ['ops'] }),
      collect: await post('collections', { keepReleases: 1, keepDays: 0 }),
      verify: await post('verifications', {}),
      backup: await registry.send('GET', '/v1/backup', { as }),
      restore: await registry.send('POST', '/v1/restore', {
        as,
        body: Buffer.alloc(1024),
        headers: { 'content-type': 'application/x-tar' },
      }),
      beEdge: await registry.send('PUT', '/v1/edges/edge-1', {
        as,
        body: { channel: 'production', release: 'r1' },
      }),
      dropEdge: await registry.send('DELETE', '/v1/edges/edge-1', { as }),
      readAudit: await registry.send('GET', '/v1/audit', { as }),
    };
    expect(Object.entries(attempts).map(([name, { status }]) => [name, status])).toEqual(
      Object.keys(attempts).map((name) => [name, 403]),
    );
  });
});

test('tokens are listed in pages with a cursor for the next one', async () => {
  for (let index = 0; index < 3; index += 1) await make({ scopes: ['read'] });
  const all = await list();
  const seen: string[] = [];
  let query = '?limit=3';
  for (let pages = 0; pages < 10; pages += 1) {
    const { body } = await registry.send('GET', `/v1/tokens${query}`);
    const { tokens, next } = v.parse(TokensAnswerSchema, body);
    expect(tokens.length).toBeLessThanOrEqual(3);
    seen.push(...tokens.map(({ id }) => id));
    if (next === null) break;
    query = `?limit=3&before=${next}`;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  const tooMany = await registry.send('GET', '/v1/tokens?limit=201');
  expect([tooMany.status, code(tooMany)]).toEqual([400, 'request_malformed']);
});

test.each(['r12', '7', '', 'no such id'])(
  'the cursor "%s", which is not from this list, is rejected rather than returning an empty page',
  async (before) => {
    const { status, body } = await registry.send('GET', `/v1/tokens?before=${encodeURIComponent(before)}`);
    expect([status, body.errors[0]?.source]).toEqual([400, { parameter: 'before' }]);
  },
);

test('the audit log begins with the configured tokens, and names those added by a later start', async () => {
  const configured = async () => {
    const rows = await registryTables(registry)
      .selectFrom('audit_events')
      .select(['by', 'details'])
      .where('action', '=', 'token.configured')
      .orderBy('sequence')
      .execute();
    return rows.map(({ by, details }) => [
      by,
      (details['tokens'] as { name: string; scopes: string[] }[]).map(({ name, scopes }) => [
        name,
        ...scopes,
      ]),
    ]);
  };
  expect(await configured()).toEqual([]);
  await make({ scopes: ['read'] });
  const first = [
    '(configuration)',
    [
      ['ben', 'activate:mfe-blocks'],
      ['ci-blocks', 'publish:mfe-blocks'],
      ['edge', 'edge:edge-1'],
      ['olivia', 'ops'],
      ['reader', 'read'],
    ],
  ];
  expect(await configured()).toEqual([first]);
  const bootstrapTokens: BootstrapToken[] = [
    { name: 'olivia', token: registry.tokens.ops, scopes: ['ops'] },
    { name: 'other', token: createToken(), scopes: ['ops'] },
  ];
  for (let start = 0; start < 2; start += 1) {
    const { database, store, composer } = registry;
    const app = await createRegistryApp({
      database,
      store,
      composer,
      auditKey: testAuditKey,
      bootstrapTokens,
    });
    await app.close();
    expect(await configured()).toEqual([first, ['(configuration)', [['other', 'ops']]]]);
  }
  expect(await checkAuditLog(registryTables(registry))).toMatchObject({ ok: true });
});
