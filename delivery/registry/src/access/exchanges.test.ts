import { createHash, createHmac } from 'node:crypto';
import type { TokensAnswer } from '@site/contract';
import {
  EXCHANGE_GRANT,
  EXCHANGE_PATH,
  ID_TOKEN_TYPE,
  type ExchangeAnswer,
  type TrustMade,
  type TrustRemoved,
} from '@site/contract/registry-calls/trust.calls';
import type { Database } from '@site/server/open-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload } from 'jose';
import { createRegistryApp } from '../create-registry-app.ts';
import { createHarness, registryTables, testAuditKey, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { startOpenIdProvider, type OpenIdProvider } from '../testing/openid-provider.ts';
import { MINUTE_MS } from '@site/server/durations';

const AUDIENCE = 'https://registry.example.com';
const MAIN = 'repo:acme/blocks:ref:refs/heads/main';
const SECOND_MS = 1_000;
const SHA = 'a'.repeat(40);
const github = { repository: 'acme/blocks', ref: 'refs/heads/main', sha: SHA, run_id: '77' };

let registry: Harness;
let provider: OpenIdProvider;

async function make(database: Database): Promise<{ stop(): Promise<void> }> {
  registry = await createHarness(database);
  // The provider uses the real time.
  registry.clock.now = new Date();
  provider = await startOpenIdProvider();
  return {
    async stop() {
      await registry.stop();
      await provider.stop();
    },
  };
}
forEachTest(make);

function pass(ms: number): void {
  registry.clock.now = new Date(registry.clock.now.getTime() + ms);
}

async function trust(more: object = {}): Promise<TrustMade> {
  const { status, body } = await registry.send<TrustMade>('POST', '/v1/trusts', {
    body: { app: 'mfe-blocks', issuer: provider.issuer, subject: MAIN, audience: AUDIENCE, ...more },
  });
  expect(status).toBe(201);
  return body;
}

/** Ops register the app that pipelines publish here. */
async function register(): Promise<void> {
  const body = { app: 'mfe-blocks', owner: 'blocks', paths: ['/blocks/*'] };
  expect((await registry.send('POST', '/v1/apps', { body })).status).toBe(201);
}

interface Answered {
  status: number;
  body: ExchangeAnswer & { errors?: { code: string; detail: string }[] };
}

async function exchange(idToken: string, fields: object = {}): Promise<Answered> {
  const form = { grant_type: EXCHANGE_GRANT, subject_token: idToken, subject_token_type: ID_TOKEN_TYPE };
  const response = await registry.app.inject({
    method: 'POST',
    url: EXCHANGE_PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...form, ...fields }).toString(),
  });
  return { status: response.statusCode, body: response.json() };
}

const errorCode = ({ body }: { body: object }) => (body as Answered['body']).errors?.[0]?.code;
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const opens = async (token: string) =>
  (await registry.send('GET', '/v1/apps', withToken(token))).status === 200;
const events = () =>
  registryTables(registry).selectFrom('audit_events').selectAll().orderBy('sequence').execute();

function claims(more: JWTPayload = {}): JWTPayload {
  const iat = Math.floor(registry.clock.now.getTime() / 1000);
  return {
    iss: provider.issuer,
    sub: MAIN,
    aud: AUDIENCE,
    iat,
    nbf: iat,
    exp: iat + 300,
    ...github,
    ...more,
  };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an id token of a trusted pipeline', () => {
  test('yields a token of 15 minutes that publishes its app and nothing else', async () => {
    await register();
    await trust();
    const { status, body } = await exchange(await provider.idToken(MAIN, AUDIENCE));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 900, scope: 'publish:mfe-blocks' },
    });
    const sent = withToken(body.access_token);
    const blocks = remoteManifest('mfe-blocks');
    expect((await registry.publish(blocks, sent)).status).toBe(201);
    for (const refused of [
      await registry.publish(remoteManifest('mfe-partners'), sent),
      await registry.activate({ 'mfe-blocks': blocks.version }, {}, sent),
      await registry.send('GET', '/v1/trusts', sent),
    ]) {
      expect([refused.status, errorCode(refused)]).toEqual([403, 'scope_missing']);
    }
    pass(15 * MINUTE_MS - 1);
    expect(await opens(body.access_token)).toBe(true);
    pass(1);
    expect(await opens(body.access_token)).toBe(false);
  });

  test('activates if ops allowed it, and applies to every app with a matching trust', async () => {
    await trust({ activate: true });
    await trust({ app: 'mfe-partners', subject: 'repo:acme/blocks:*', claims: { ref: 'refs/heads/*' } });
    await trust({ app: 'shell', claims: { ref: 'refs/heads/other' } });
    const { body } = await exchange(await provider.idToken(MAIN, AUDIENCE, github));
    expect(body.scope).toBe('publish:mfe-blocks activate:mfe-blocks publish:mfe-partners');
  });

  test("determines the provenance of its versions; other authors' provenance is only a claim", async () => {
    await register();
    await trust();
    const said = {
      'provenance-repository': 'https://git.example.com/x',
      'provenance-run': 'https://ci.example.com/1',
    };
    const { body } = await exchange(await provider.idToken(MAIN, AUDIENCE, github));
    const verified = remoteManifest('mfe-blocks', { contents: 1 });
    await registry.publish(verified, { headers: { ...withToken(body.access_token).headers, ...said } });
    await registry.publish(remoteManifest('mfe-blocks', { contents: 2 }), { as: 'blocks', headers: said });
    await registry.publish(
      { ...remoteManifest('mfe-blocks', { contents: 3 }), commit: null },
      { as: 'blocks' },
    );
    const { versions } = (await registry.send<{ versions: object[] }>('GET', '/v1/apps/mfe-blocks/versions'))
      .body;
    expect(versions).toMatchObject([
      { publishedBy: 'ci-blocks', provenance: null },
      {
        provenance: {
          verified: false,
          repository: 'https://git.example.com/x',
          run: 'https://ci.example.com/1',
        },
      },
      {
        publishedBy: `${MAIN} (${provider.issuer.slice('http://'.length)})`,
        provenance: {
          verified: true,
          repository: `${provider.issuer}/acme/blocks`,
          commit: SHA,
          ref: 'refs/heads/main',
          run: `${provider.issuer}/acme/blocks/actions/runs/77`,
          issuer: provider.issuer,
          subject: MAIN,
        },
      },
    ]);
    const wrong = await registry.publish(remoteManifest('mfe-blocks', { contents: 4 }), {
      headers: { 'provenance-run': 'javascript:alert(1)' },
    });
    expect([wrong.status, errorCode(wrong)]).toEqual([400, 'request_malformed']);
  });

  test('works once, even for concurrent requests, until its own expiry', async () => {
    await trust();
    const idToken = await provider.idToken(MAIN, AUDIENCE);
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(idToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    pass(4 * MINUTE_MS);
    expect(errorCode(await exchange(idToken))).toBe('id_token_used');
    // Another token is accepted.
    expect((await exchange(await provider.sign(claims()))).status).toBe(200);
    // Expired ones are deleted.
    pass(60 * MINUTE_MS);
    expect((await exchange(await provider.sign(claims({ jti: 'next' })))).status).toBe(200);
    const kept = await registryTables(registry).selectFrom('used_id_tokens').selectAll().execute();
    expect(kept).toHaveLength(1);
  });

  test('with another signature encoding is the same token', async () => {
    await trust();
    const keys = await generateKeyPair('ES256');
    provider.manner = ({ url }, response) => {
      void (async () => {
        const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'ec', alg: 'ES256' };
        response.end(
          JSON.stringify(
            url === '/jwks'
              ? { keys: [jwk] }
              : { issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` },
          ),
        );
      })();
    };
    const header = { alg: 'ES256', kid: 'ec' };
    const idToken = await provider.sign(claims(), header, keys.privateKey);
    expect((await exchange(idToken)).status).toBe(200);
    // Each such signature has a second valid form: (r, n - s).
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const [head, payload, signature = ''] = idToken.split('.');
    const bytes = Buffer.from(signature, 'base64url').toString('hex');
    const other = (order - BigInt(`0x${bytes.slice(64)}`)).toString(16).padStart(64, '0');
    const twin = [head, payload, Buffer.from(bytes.slice(0, 64) + other, 'hex').toString('base64url')].join(
      '.',
    );
    expect(errorCode(await exchange(twin))).toBe('id_token_used');
  });
});

describe('tokens of one pipeline', () => {
  test('share one account: a retry with another token is the same retry, and limits are shared', async () => {
    await registry.stop();
    registry = await createHarness(registry.database, undefined, { requestsPerMinute: 5 });
    registry.clock.now = new Date();
    await registry.publish(remoteManifest('mfe-blocks'));
    await trust({ activate: true });
    const next = async (jti: string) =>
      (await exchange(await provider.sign(claims({ jti })))).body.access_token;
    const [one, other, third] = [await next('1'), await next('2'), await next('3')];
    const { version } = remoteManifest('mfe-blocks');
    const quarantine = (token: string) =>
      registry.app.inject({
        method: 'POST',
        url: `/v1/apps/mfe-blocks/versions/${version}/quarantines`,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'the-run' },
        payload: { reason: 'a test' },
      });
    const replayed = [];
    for (const token of [one, other, third]) {
      const { headers, body } = await quarantine(token);
      replayed.push(headers['idempotency-replayed'] ?? body);
    }
    expect(replayed).toEqual(['false', 'true', 'true']);
    const statuses = [];
    for (const token of [one, other, third])
      statuses.push((await registry.send('GET', '/v1/apps', withToken(token))).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('is refused', () => {
  const cases: [name: string, code: string, idToken: () => Promise<string> | string][] = [
    ['what has expired', 'id_token_invalid', () => provider.sign(claims({ exp: now() - 31 }))],
    ['what is not good yet', 'id_token_invalid', () => provider.sign(claims({ nbf: now() + 60 }))],
    ['what is from the future', 'id_token_invalid', () => provider.sign(claims({ iat: now() + 60 }))],
    [
      'what is older than a day, whatever it says',
      'id_token_invalid',
      () => provider.sign(claims({ iat: now() - 25 * 3600, exp: now() + 3600 })),
    ],
    ['what never ends', 'id_token_invalid', () => provider.sign(without('exp'))],
    ['what does not say since when', 'id_token_invalid', () => provider.sign(without('iat'))],
    ['a token without an audience', 'id_token_invalid', () => provider.sign(without('aud'))],
    ['what is for others, too', 'id_token_invalid', () => provider.sign(claims({ aud: [AUDIENCE, 'x'] }))],
    [
      'what is for others',
      'id_token_untrusted',
      () => provider.sign(claims({ aud: 'https://other.example' })),
    ],
    ['an odd audience', 'id_token_invalid', () => provider.sign(claims({ aud: [7] as never }))],
    ['an odd subject', 'id_token_invalid', () => provider.sign(claims({ sub: 7 as never }))],
    ['a subject of two lines', 'id_token_invalid', () => provider.sign(claims({ sub: `${MAIN}\nx` }))],
    ['another repository', 'id_token_untrusted', () => provider.sign(claims({ sub: 'repo:evil/blocks:x' }))],
    ['a subject that only begins so', 'id_token_untrusted', () => provider.sign(claims({ sub: `${MAIN}2` }))],
    ['another branch', 'id_token_untrusted', () => provider.sign(claims({ ref: 'refs/heads/dev' }))],
    ['no branch', 'id_token_untrusted', () => provider.sign(without('ref'))],
    ['what is not signed', 'id_token_invalid', () => `${encoded({ alg: 'none' })}.${encoded(claims())}.`],
    ['what is signed with the public key', 'id_token_invalid', signedWithPublicKey],
    [
      'what another key signed under this name',
      'id_token_invalid',
      async () => provider.sign(claims(), {}, (await generateKeyPair('RS256')).privateKey),
    ],
    ['a key that the issuer has not', 'id_token_invalid', () => provider.sign(claims(), { kid: 'no-such' })],
    [
      'what was changed afterwards',
      'id_token_invalid',
      async () => {
        const [head, , signature] = (await provider.sign(claims())).split('.');
        return [head, encoded(claims({ jti: 'changed' })), signature].join('.');
      },
    ],
    ['what is no JWT', 'id_token_invalid', () => 'no-head.no-body.no-signature'],
    [
      'an untrusted issuer',
      'id_token_untrusted',
      () => provider.sign(claims({ iss: 'http://169.254.169.254' })),
    ],
  ];
  const now = () => Math.floor(registry.clock.now.getTime() / 1000);
  const without = (name: string) => {
    const { [name]: _left, ...rest } = claims();
    return rest;
  };
  async function signedWithPublicKey(): Promise<string> {
    const key = await importJWK(provider.publicKey(), 'RS256', { extractable: true });
    const body = `${encoded({ alg: 'HS256', kid: 'key-1' })}.${encoded(claims())}`;
    const secret = await exportSPKI(key as never);
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  }

  test('an invalid or untrusted id token; no message repeats it', async () => {
    await trust({ claims: { ref: 'refs/heads/main' } });
    for (const [name, code, idToken] of cases) {
      const sent = await idToken();
      const answer = await exchange(sent);
      expect([name, errorCode(answer)]).toEqual([name, code]);
      const signature = sent.split('.')[2] || sent;
      expect(JSON.stringify([answer, await events()])).not.toContain(signature);
    }
    const tokens = (await registry.send<TokensAnswer>('GET', '/v1/tokens')).body.tokens;
    expect(tokens.filter(({ name }) => name.includes('repo:'))).toEqual([]);
    // The same trust accepts a valid one.
    expect((await exchange(await provider.sign(claims()))).status).toBe(200);
  });

  test("the message contains the presented claims, but not the trust's requirements", async () => {
    await trust({ subject: 'repo:acme/secret-project:*', claims: { ref: 'refs/heads/hidden' } });
    const readDetail = async (more: JWTPayload) =>
      (await exchange(await provider.sign(claims(more)))).body.errors?.[0]?.detail ?? '';
    const [stranger, friend] = [
      await readDetail({}),
      await readDetail({ sub: 'repo:acme/secret-project:x' }),
    ];
    expect(stranger).toContain(`No trust fits its subject "${MAIN}".`);
    expect(stranger).not.toContain('secret-project');
    expect(friend).toContain('wants other claims: "ref" is "refs/heads/main"');
    expect(friend).not.toContain('hidden');
  });

  test('an invalid form, without repeating it', async () => {
    await trust();
    const idToken = await provider.sign(claims());
    for (const fields of [
      { grant_type: 'password' },
      { subject_token_type: idToken },
      { subject_token: '' },
      { [idToken]: '' },
      { scope: 'ops' },
    ]) {
      const { status, body } = await exchange(idToken, fields);
      expect([Object.keys(fields), status]).toEqual([Object.keys(fields), 400]);
      expect(JSON.stringify(body)).not.toContain(idToken.slice(0, 20));
    }
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'content-type': type };
      const payload = `{"a":${idToken}`;
      const response = await registry.app.inject({ method: 'POST', url: EXCHANGE_PATH, headers, payload });
      expect([response.statusCode, response.body.includes('eyJ')]).toEqual([415, false]);
    }
  });

  test('more than 120 exchanges a minute per address; another address is not affected', async () => {
    const ask = (remoteAddress: string) =>
      registry.app.inject({ method: 'POST', url: EXCHANGE_PATH, remoteAddress });
    const statuses = [];
    for (let index = 0; index < 121; index += 1) statuses.push((await ask('192.0.2.1')).statusCode);
    expect([statuses[119], statuses[120]]).toEqual([415, 429]);
    expect((await ask('192.0.2.2')).statusCode).toBe(415);
  });
});

describe('the keys of an issuer', () => {
  const reads = () => provider.asked.filter((path) => path.startsWith('/.well-known')).length;

  test('are cached, and refreshed for an unknown key at most every 30 s', async () => {
    await trust();
    const fresh = () => provider.sign(claims({ jti: String(Math.random()) }));
    expect((await exchange(await fresh())).status).toBe(200);
    await provider.rotate();
    const rotated = await provider.idToken(MAIN, AUDIENCE);
    expect([errorCode(await exchange(rotated)), reads()]).toEqual(['id_token_invalid', 1]);
    pass(30 * SECOND_MS);
    expect([(await exchange(rotated)).status, reads()]).toEqual([200, 2]);
    for (let index = 0; index < 5; index += 1) {
      await exchange(await provider.sign(claims(), { kid: `made-up-${index}` }));
    }
    expect(reads()).toBe(2);
    // A withdrawn key is trusted for at most ten minutes.
    const former = await fresh();
    await provider.rotate();
    pass(10 * MINUTE_MS);
    expect(errorCode(await exchange(await provider.sign(claims(), { kid: 'key-2' })))).toBe(
      'id_token_invalid',
    );
    expect([errorCode(await exchange(former)), reads()]).toEqual(['id_token_invalid', 3]);
  });

  test('are requested once for concurrent exchanges', async () => {
    await trust();
    const tokens = await Promise.all(['a', 'b', 'c'].map((jti) => provider.sign(claims({ jti }))));
    const answers = await Promise.all(tokens.map((token) => exchange(token)));
    expect([answers.map(({ status }) => status), reads()]).toEqual([[200, 200, 200], 1]);
  });

  test('stay cached while the issuer is down; without them, exchanges fail until it is up', async () => {
    await trust();
    const idToken = await provider.sign(claims());
    provider.manner = (_request, response) => void response.destroy();
    expect(errorCode(await exchange(idToken))).toBe('issuer_unavailable');
    // A failing server is not contacted again immediately.
    const asked = provider.asked.length;
    expect([errorCode(await exchange(idToken)), provider.asked.length]).toEqual([
      'issuer_unavailable',
      asked,
    ]);
    provider.manner = null;
    pass(5 * SECOND_MS);
    expect((await exchange(idToken)).status).toBe(200);
    provider.manner = (_request, response) => void response.destroy();
    pass(9 * MINUTE_MS);
    expect((await exchange(await provider.sign(claims()))).status).toBe(200);
  });

  test("come only from the issuer's origin: no redirects, other servers, other names or oversized responses", async () => {
    await trust();
    const elsewhere = await startOpenIdProvider();
    const { issuer } = provider;
    const answer = (body: object) => JSON.stringify(body);
    type Manner = [why: string, NonNullable<OpenIdProvider['manner']>];
    const manners: Manner[] = [
      [
        'redirects are not followed',
        (_request, response) => void response.writeHead(302, { location: `${elsewhere.issuer}/jwks` }).end(),
      ],
      [
        'not at its own origin',
        (_request, response) => void response.end(answer({ issuer, jwks_uri: `${elsewhere.issuer}/jwks` })),
      ],
      [
        'not valid OpenID Connect metadata',
        (_request, response) =>
          void response.end(answer({ issuer: elsewhere.issuer, jwks_uri: `${issuer}/jwks` })),
      ],
      ['more than 262144 bytes', (_request, response) => void response.end('x'.repeat(300_000))],
      ...[300, 399].map((status): Manner => [
        `it answers ${status}, and redirects are not followed.`,
        (_request, response) => void response.writeHead(status).end(),
      ]),
      ...[400, 500].map((status): Manner => [
        `it answers ${status}.`,
        (_request, response) => void response.writeHead(status).end('a secret of the issuer'),
      ]),
    ];
    try {
      for (const [why, manner] of manners) {
        provider.manner = manner;
        pass(5 * SECOND_MS);
        const refused = await exchange(await provider.sign(claims()));
        expect(errorCode(refused)).toBe('issuer_unavailable');
        expect(refused.body.errors?.[0]?.detail).toContain(why);
        expect(JSON.stringify(refused.body)).not.toContain('a secret of the issuer');
      }
      expect(elsewhere.asked).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('trusts', () => {
  const add = (more: object) =>
    registry.send<TrustMade>('POST', '/v1/trusts', {
      body: { app: 'mfe-blocks', issuer: provider.issuer, subject: MAIN, audience: AUDIENCE, ...more },
    });

  test('match specific pipelines: no patterns for everyone, no issuer that others could impersonate', async () => {
    for (const more of [
      { subject: '*' },
      { subject: 'repo:acme/bl*' },
      { subject: 'repo:*/blocks' },
      { subject: 'repo:*' },
      { subject: 'repo:*', claims: { ref: 'refs/heads/*' } },
      { subject: '' },
      { claims: { ref: '*' } },
      { claims: { sub: MAIN } },
      { claims: { __proto__x: 'a', 'odd name': 'b' } },
      { issuer: 'http://issuer.example.com' },
      { issuer: 'https://user:password@issuer.example.com' },
      { issuer: 'https://issuer.example.com?x=1' },
      { issuer: 'https://Issuer.example.com' },
      { issuer: 'issuer.example.com' },
      { app: 'careers' },
      { audience: '' },
    ]) {
      expect([more, errorCode(await add(more))]).toEqual([more, 'body_invalid']);
    }
    for (const issuer of [
      'https://issuer.example.com',
      'https://issuer.example.com/',
      'http://localhost:1/x',
    ]) {
      expect((await add({ issuer, dryRun: true })).status).toBe(200);
    }
    const one = { subject: 'repo:*', claims: { repository_owner: 'acme' }, dryRun: true };
    expect((await add(one)).status).toBe(200);
    expect((await registry.send<{ trusts: object[] }>('GET', '/v1/trusts')).body.trusts).toEqual([]);
  });

  test('are for ops, unique, and show who added them and when they were used', async () => {
    const body = { app: 'mfe-blocks', issuer: provider.issuer, subject: MAIN, audience: AUDIENCE };
    expect(errorCode(await registry.send('POST', '/v1/trusts', { as: 'blocks', body }))).toBe(
      'scope_missing',
    );
    const { id } = await trust();
    expect(errorCode(await add({}))).toBe('trust_exists');
    const list = async () => (await registry.send<{ trusts: object[] }>('GET', '/v1/trusts')).body.trusts;
    expect(await list()).toMatchObject([{ id, by: 'olivia', usedAt: null, activate: false, claims: {} }]);
    await exchange(await provider.sign(claims()));
    expect(await list()).toMatchObject([{ id, usedAt: registry.clock.now.toISOString() }]);
  });

  test('revoke their tokens on removal; a preview outlives its token, but not its trust', async () => {
    const remove = (id: string, more: object = {}) =>
      registry.send<TrustRemoved>('POST', `/v1/trusts/${id}/removals`, { body: { reason: 'gone', ...more } });
    await registry.startSite();
    // Restoring the site also restores its clock.
    registry.clock.now = new Date();
    const { id } = await trust();
    const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 9 });
    const first = (await exchange(await provider.sign(claims()))).body.access_token;
    expect((await registry.publish(blocks, withToken(first))).status).toBe(201);
    const preview = await registry.send<{ id: string; url: string }>('POST', '/v1/previews', {
      ...withToken(first),
      body: { app: 'mfe-blocks', version: blocks.version },
    });
    expect(preview.status).toBe(201);
    const previews = async () =>
      (await registry.send<{ previews: { id: string }[] }>('GET', '/v1/previews')).body.previews;
    const link = new URL(preview.body.url).searchParams.get('id') ?? '';
    const hash = createHash('sha256').update(link).digest('hex');
    const shown = async () => (await registry.send('GET', `/v1/previews/${hash}`, { as: 'edge' })).status;
    pass(20 * MINUTE_MS);
    expect([await opens(first), await shown()]).toEqual([false, 200]);
    expect(await previews()).toMatchObject([{ id: preview.body.id }]);

    const second = (await exchange(await provider.sign(claims({ jti: 'second' })))).body.access_token;
    expect((await remove(id, { dryRun: true })).body).toMatchObject({ ended: 1, dryRun: true });
    expect(await opens(second)).toBe(true);
    expect((await remove(id)).body).toEqual({ id, app: 'mfe-blocks', subject: MAIN, ended: 1 });
    expect([await opens(second), await previews(), await shown()]).toEqual([false, [], 410]);
    expect(errorCode(await exchange(await provider.sign(claims({ jti: 'third' }))))).toBe(
      'id_token_untrusted',
    );
    expect(errorCode(await remove(id))).toBe('trust_unknown');
  });
});

test('behind a proxy, each address has its own limit', async () => {
  const app = await createRegistryApp({
    database: registry.database,
    store: registry.store,
    composer: registry.composer,
    auditKey: testAuditKey,
    trustProxy: 1,
  });
  const ask = async (caller: string) => {
    const headers = { 'x-forwarded-for': `198.51.100.7, ${caller}` };
    return (await app.inject({ method: 'POST', url: EXCHANGE_PATH, headers })).statusCode;
  };
  try {
    for (let index = 0; index < 120; index += 1) await ask('192.0.2.1');
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([429, 415]);
  } finally {
    await app.close();
  }
});

test('the process log contains neither tokens nor parts of them', async () => {
  await trust();
  let log = '';
  const app = await createRegistryApp({
    database: registry.database,
    store: registry.store,
    composer: registry.composer,
    auditKey: testAuditKey,
    now: () => registry.clock.now,
    logLevel: 'debug',
    logStream: { write: (line) => void (log += line) },
  });
  const ask = async (payload: string) =>
    app.inject({
      method: 'POST',
      url: EXCHANGE_PATH,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });
  try {
    const [good, bad] = [await provider.sign(claims()), await provider.sign(claims({ exp: 1 }))];
    const form = { grant_type: EXCHANGE_GRANT, subject_token_type: ID_TOKEN_TYPE };
    const answers = [];
    for (const sent of [good, good, bad])
      answers.push(await ask(new URLSearchParams({ ...form, subject_token: sent }).toString()));
    answers.push(await ask(good), await ask(good.repeat(50)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 401, 400, 413]);
    expect(log).toMatch(/a pipeline was let in/);
    expect(log).toMatch(/id_token_used.*a pipeline was not let in/);
    const { access_token: token } = answers[0]?.json<ExchangeAnswer>() ?? { access_token: '' };
    for (const secret of [token, ...good.split('.').slice(1), ...bad.split('.').slice(1)])
      expect(log).not.toContain(secret);
  } finally {
    await app.close();
  }
});

describe('the audit log', () => {
  test('has every exchange and rejection, without a secret', async () => {
    const { id } = await trust({ activate: true });
    const idToken = await provider.sign(claims());
    const { access_token: token } = (await exchange(idToken)).body;
    await exchange(idToken);
    await exchange('no token at all');
    const all = (await events()).filter(({ action }) => action !== 'token.configured');
    expect(all.map(({ action, by }) => [action, by])).toEqual([
      ['trust.added', 'olivia'],
      ['token.exchanged', `${MAIN} (${provider.issuer.slice('http://'.length)})`],
      ['token.exchange-refused', '(exchange)'],
      ['token.exchange-refused', '(exchange)'],
    ]);
    expect(all[1]?.details).toMatchObject({
      scopes: ['publish:mfe-blocks', 'activate:mfe-blocks'],
      trusts: [id],
      provenance: { commit: SHA, subject: MAIN },
    });
    expect(all[2]).toMatchObject({
      subject: 'id_token_used',
      details: { claimed: { issuer: provider.issuer, subject: MAIN } },
    });
    for (const table of ['tokens', 'used_id_tokens', 'audit_events', 'idempotency_keys'] as const) {
      const rows = JSON.stringify(await registryTables(registry).selectFrom(table).selectAll().execute());
      for (const secret of [token, idToken, idToken.split('.')[2] ?? '']) expect(rows).not.toContain(secret);
    }
  });

  test('is protected from flooding: 60 rejections per hour are recorded', async () => {
    const refusals = async () =>
      (await events()).filter(({ action }) => action === 'token.exchange-refused').length;
    await register();
    for (let index = 0; index < 65; index += 1) await exchange('no token at all');
    expect(await refusals()).toBe(60);
    pass(60 * MINUTE_MS);
    await exchange('no token at all');
    expect(await refusals()).toBe(61);
  });
});

test("the list of tokens includes pipelines' tokens while they are valid", async () => {
  await trust();
  await exchange(await provider.sign(claims()));
  const names = async () =>
    (await registry.send<TokensAnswer>('GET', '/v1/tokens')).body.tokens.map(({ name }) => name);
  expect((await names())[0]).toMatch(/^repo:acme\/blocks/);
  pass(15 * MINUTE_MS);
  expect((await names()).filter((name) => name.startsWith('repo:'))).toEqual([]);
});
