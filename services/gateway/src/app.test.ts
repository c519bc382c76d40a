import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@site/server/durations';
import { expectDescribed } from '@site/server/testing/expect-described';
import { readData, readErrors, errorPointers } from '@site/server/testing/answers';
import { databases, type TestDatabase } from '@site/server/testing/each-database';
import { openDatabase } from '@site/server/open-database';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import {
  base64url,
  createLocalJWKSet,
  decodeJwt,
  exportSPKI,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JSONWebKeySet,
} from 'jose';
import { createApp } from './app.ts';
import { gatewayDefaults } from './config.ts';
import { gatewayMigrations } from './migrations.ts';
import type { GatewayTables } from './tables.ts';

const config = {
  ...gatewayDefaults,
  appIds: ['site-app'],
  origins: ['https://site.example'],
  rateLimit: { perAddress: 0, perGuest: 0 },
  tokenLifetime: 3600,
  renewalGrace: 7200,
};

describe.each(databases)('the gateway on $name', ({ start }) => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  let now = Date.parse('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    shared = await start();
    await shared.database.migrate('gateway', gatewayMigrations);
    app = await createApp(config, { database: shared.database, now: () => now });
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  const headers = (token?: string, more: Record<string, string> = {}) => ({
    appid: 'site-app',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...more,
  });
  const create = (id: string, more: Record<string, string> = {}, token?: string) =>
    app.inject({
      method: 'POST',
      url: '/guests',
      headers: headers(token, more),
      payload: { unique_id: id, user_unique_id: id },
    });
  const read = (id: string, token?: string) => app.inject({ url: `/guests/${id}`, headers: headers(token) });
  const renew = (id: string, token?: string, given = id) =>
    app.inject({
      method: 'POST',
      url: `/guests/${id}/auth`,
      headers: headers(token),
      payload: { guest_unique_id: given },
    });
  const readToken = (answer: LightMyRequestResponse) => answer.headers['company-token'] as string;
  const readError = (answer: LightMyRequestResponse) => readErrors(answer)[0];
  async function newGuest(): Promise<{ id: string; token: string }> {
    const id = randomUUID();
    return { id, token: readToken(await create(id)) };
  }
  const keySet = async () =>
    createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json<JSONWebKeySet>());

  describe('creating a guest', () => {
    test('returns the guest as a resource, and a token that the published keys verify', async () => {
      const id = randomUUID();
      const answer = await create(id);
      expect(answer.statusCode).toBe(201);
      expect(answer.headers['location']).toBe(`/guests/${id}`);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        data: {
          type: 'guests',
          id,
          attributes: {
            unique_id: id,
            user_unique_id: id,
            email: '',
            name: '',
            username: '',
            status: 'active',
            current_visiting_at: new Date(now).toISOString(),
            current_visiting_ip: '127.0.0.0',
            last_visiting_at: null,
            last_visiting_ip: null,
            registered_at: new Date(now).toISOString(),
          },
          links: { self: `/guests/${id}` },
        },
        links: { self: `/guests/${id}` },
        meta: { token_expires_at: new Date(now + HOUR_MS).toISOString() },
      });
      const { payload, protectedHeader } = await jwtVerify(readToken(answer), await keySet(), {
        currentDate: new Date(now),
      });
      expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) as unknown });
      expect(payload).toMatchObject({ user_unique_id: id, exp: now / 1000 + 3600 });
    });

    test('returns the same guest and a token for a retry with the same Idempotency-Key', async () => {
      const id = randomUUID();
      const first = await create(id, { 'idempotency-key': 'creation-key-0001' });
      const second = await create(id, { 'idempotency-key': 'creation-key-0001' });
      expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
      expect(readData(second)).toEqual(readData(first));
      expect((await read(id, readToken(second))).statusCode).toBe(200);
    });

    test('returns the same guest to the guest itself', async () => {
      const { id, token } = await newGuest();
      expect((await create(id, {}, token)).statusCode).toBe(200);
    });

    test('gives no token to a client that merely knows the id', async () => {
      const id = randomUUID();
      await create(id, { 'idempotency-key': 'creation-key-0002' });
      const stranger = await newGuest();
      for (const answer of [
        await create(id),
        await create(id, { 'idempotency-key': 'creation-key-0003' }),
        await create(id, {}, stranger.token),
        await create(id, {}, 'not.a.token'),
      ]) {
        expect([answer.statusCode, readError(answer)?.code]).toEqual([409, 'guest_exists']);
        expect(readToken(answer)).toBeUndefined();
      }
      now += HOUR_MS;
      expect((await create(id, { 'idempotency-key': 'creation-key-0002' })).statusCode).toBe(409);
    });

    test('ignores an invalid token', async () => {
      expect((await create(randomUUID(), {}, 'not.a.token')).statusCode).toBe(201);
    });

    test('creates one guest for many concurrent requests', async () => {
      const id = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => create(id, { 'idempotency-key': id })),
      );
      expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
        200, 200, 200, 200, 200, 200, 200, 201,
      ]);
    });

    test.each([
      ['two ids', { unique_id: randomUUID(), user_unique_id: randomUUID() }, '/user_unique_id'],
      ['an id that is no UUID', { unique_id: 'x', user_unique_id: 'x' }, '/unique_id'],
      ['no id', { user_unique_id: randomUUID() }, '/unique_id'],
      ['a list', [], '/unique_id'],
    ])('rejects %s', async (_title, payload, pointer) => {
      const answer = await app.inject({ method: 'POST', url: '/guests', headers: headers(), payload });
      expect(answer.statusCode).toBe(422);
      expect(readError(answer)).toMatchObject({ code: 'body_invalid' });
      expect(errorPointers(answer)).toContain(pointer);
    });

    test('rejects an Idempotency-Key that is easy to guess', async () => {
      const answer = await create(randomUUID(), { 'idempotency-key': '1' });
      expect([answer.statusCode, readError(answer)?.code]).toEqual([400, 'idempotency_key_invalid']);
    });

    test.each([[undefined], ['other-app'], ['site-app-2'], ['site-ap'], ['SITE-APP'], ['']])(
      'rejects the app id %s',
      async (appid) => {
        const answer = await app.inject({
          method: 'POST',
          url: '/guests',
          headers: appid === undefined ? {} : { appid },
          payload: {},
        });
        expect([answer.statusCode, readError(answer)]).toEqual([
          401,
          expect.objectContaining({ code: 'app_unknown', source: { header: 'appid' } }),
        ]);
      },
    );
  });

  describe('reading and changing a guest', () => {
    test('shows a guest to itself', async () => {
      const { id, token } = await newGuest();
      const answer = await read(id, token);
      expect([answer.statusCode, readData(answer).id]).toEqual([200, id]);
    });

    test('changes only the given fields, and nothing that only the gateway knows', async () => {
      const { id, token } = await newGuest();
      const put = (fields: object) =>
        app.inject({
          method: 'PUT',
          url: `/guests/${id}`,
          headers: headers(token),
          payload: { unique_id: id, user_unique_id: id, ...fields },
        });
      await put({ name: ' Ada ', email: 'ada@example.com' });
      const answer = await put({ username: 'ada' });
      expect(answer.statusCode).toBe(200);
      expect(readData(answer).attributes).toMatchObject({
        name: 'Ada',
        email: 'ada@example.com',
        username: 'ada',
        status: 'active',
        registered_at: new Date(now).toISOString(),
      });
      expect((await read(id, token)).json()).toEqual(answer.json());
      expect((await put({})).statusCode).toBe(200);
      expect(readError(await put({ email: 'not-an-address' }))).toMatchObject({
        source: { pointer: '/email' },
      });
      expect(readError(await put({ user_unique_id: randomUUID() }))).toMatchObject({
        code: 'guest_id_mismatch',
        source: { pointer: '/user_unique_id' },
      });
    });

    test('rejects unknown fields by name, and changes nothing', async () => {
      const { id, token } = await newGuest();
      const ids = { unique_id: id, user_unique_id: id };
      const known = await read(id, token);
      const calls = [
        ['PUT', `/guests/${id}`, { ...ids, name: 'Ada', status: 'admin', registered_at: null }],
        ['POST', `/guests/${id}/auth`, { guest_unique_id: id, registered_at: 1, status: 'admin' }],
        ['POST', '/guests', { ...ids, registered_at: 1, status: 'admin' }],
      ] as const;
      for (const [method, url, payload] of calls) {
        const answer = await app.inject({ method, url, headers: headers(token), payload });
        expect([answer.statusCode, errorPointers(answer).sort()]).toEqual([
          422,
          ['/registered_at', '/status'],
        ]);
      }
      expect((await read(id, token)).json()).toEqual(known.json());
    });

    test("rejects every call with another guest's token, whether that guest exists or not", async () => {
      const { token } = await newGuest();
      const other = await newGuest();
      for (const id of [other.id, randomUUID(), 'x']) {
        const payload = { unique_id: id, user_unique_id: id, guest_unique_id: id };
        for (const answer of [
          await read(id, token),
          await app.inject({ method: 'PUT', url: `/guests/${id}`, headers: headers(token), payload }),
          await renew(id, token),
        ]) {
          expect([answer.statusCode, readError(answer)?.code]).toEqual([403, 'guest_not_yours']);
        }
      }
    });

    test('reports a removed guest', async () => {
      const { id, token } = await newGuest();
      await shared.database
        .schema<GatewayTables>('gateway')
        .deleteFrom('guests')
        .where('unique_id', '=', id)
        .execute();
      for (const answer of [await read(id, token), await renew(id, token)]) {
        expect([answer.statusCode, readError(answer)?.code]).toEqual([404, 'guest_not_found']);
        expect(readToken(answer)).toBeUndefined();
      }
    });
  });

  describe('a token', () => {
    async function forged(id: string): Promise<Record<string, string>> {
      const { token } = await newGuest();
      const [head, body, signature] = token.split('.') as [string, string, string];
      const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
      const stranger = await generateKeyPair('EdDSA');
      const claims = { ...decodeJwt(token), user_unique_id: id };
      const sign = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
        new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
      const { keys } = (await app.inject('/.well-known/jwks.json')).json<JSONWebKeySet>();
      return {
        unsigned: `${new UnsecuredJWT(claims).encode()}x`,
        'with alg none': `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.x`,
        'of another key': await sign('EdDSA', stranger.privateKey),
        'of another algorithm': await sign('HS256', new TextEncoder().encode(keys[0]?.['x'])),
        'signed with the public key as a secret': await sign(
          'HS256',
          new TextEncoder().encode(await exportSPKI(stranger.publicKey)),
        ),
        'with a changed payload': `${head}.${base64url.encode(JSON.stringify(claims))}.${signature}`,
        truncated: `${head}.${body}.${signature.slice(0, 40)}`,
        huge: `${head}.${'a'.repeat(10_000)}.${signature}`,
        'without a key id': await new SignJWT(claims)
          .setProtectedHeader({ alg: 'EdDSA' })
          .sign(stranger.privateKey),
      };
    }

    test('that is forged or damaged is rejected', async () => {
      const { id } = await newGuest();
      for (const [title, token] of Object.entries(await forged(id))) {
        for (const answer of [await read(id, token), await renew(id, token)]) {
          expect([title, answer.statusCode, readError(answer)?.code]).toEqual([title, 401, 'token_invalid']);
          expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
        }
      }
    });

    test.each(['', 'Bearer', 'Bearer x', 'Basic YTpi', 'Bearer a.b.c, Bearer a.b.c'])(
      'is not "%s"',
      async (authorization) => {
        const answer = await app.inject({
          url: `/guests/${randomUUID()}`,
          headers: { ...headers(), authorization },
        });
        expect(answer.statusCode).toBe(401);
        expect(readError(answer)?.code).toBe(authorization === '' ? 'token_missing' : 'token_invalid');
      },
    );

    test('that the operator has ended is neither read nor renewed, even after renewals before', async () => {
      const { id, token } = await newGuest();
      now += 1_000;
      const renewed = readToken(await renew(id, token));
      const ended = await createApp(
        { ...config, tokensSince: now / 1_000 + 1 },
        { database: shared.database, now: () => now },
      );
      for (const planted of [token, renewed]) {
        const answers = [
          await ended.inject({ url: `/guests/${id}`, headers: headers(planted) }),
          await ended.inject({
            method: 'POST',
            url: `/guests/${id}/auth`,
            headers: headers(planted),
            payload: { guest_unique_id: id },
          }),
        ];
        expect(answers.map((answer) => readError(answer)?.code)).toEqual(['token_invalid', 'token_invalid']);
      }
      await ended.close();
    });

    test('that has expired cannot read, but can be renewed for its own guest during the grace period', async () => {
      const { id, token } = await newGuest();
      const created = now;
      now += HOUR_MS + 1000;
      expect(readError(await read(id, token))?.code).toBe('token_expired');
      const renewed = await renew(id, token);
      expect(renewed.statusCode).toBe(200);
      expect(readData(renewed).attributes).toMatchObject({
        current_visiting_at: new Date(now).toISOString(),
        last_visiting_at: new Date(created).toISOString(),
        last_visiting_ip: '127.0.0.0',
      });
      expect((await read(id, readToken(renewed))).statusCode).toBe(200);
      now += 2 * HOUR_MS;
      const late = await renew(id, token);
      expect([late.statusCode, readError(late)?.code]).toEqual([401, 'token_too_old']);
    });

    test('can also be renewed before it expires, only for the id in both path and body', async () => {
      const { id, token } = await newGuest();
      expect((await renew(id, token)).statusCode).toBe(200);
      expect(readError(await renew(id, token, randomUUID()))?.code).toBe('guest_id_mismatch');
      expect(readError(await renew(id))?.code).toBe('token_missing');
    });

    test('stays valid and renewable after a key rotation, and the new key is published before it signs', async () => {
      const readKeyId = (token: string) =>
        (JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()) as { kid: string })
          .kid;
      const published = async () =>
        (await app.inject('/.well-known/jwks.json')).json<JSONWebKeySet>().keys.map((key) => key.kid);
      const before = await newGuest();
      now += gatewayDefaults.keyRotation * 1000 - 60_000;
      const last = await newGuest();
      now += 120_000;
      const keys = await published();
      expect(keys).toHaveLength(2);
      expect(readKeyId(readToken(await create(randomUUID())))).toBe(readKeyId(before.token));
      now += 11 * 60_000;
      expect(readKeyId(readToken(await create(randomUUID())))).toBe(keys[1]);
      expect((await renew(last.id, last.token)).statusCode).toBe(200);
      now += 4 * HOUR_MS;
      expect(await published()).toEqual([keys[1]]);
    });
  });

  test('publishes no private part of a key', async () => {
    const { keys } = (await app.inject('/.well-known/jwks.json')).json<JSONWebKeySet>();
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x']]);
  });

  test('can be read by pages of the site and no others', async () => {
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/guests',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'appid',
        },
      });
    const answer = await preflight('https://site.example');
    expect(answer.headers['access-control-allow-origin']).toBe('https://site.example');
    expect(answer.headers['access-control-allow-headers']).toContain('appid');
    expect((await preflight('https://other.example')).headers['access-control-allow-origin']).toBeUndefined();
    const created = await create(randomUUID(), { origin: 'https://site.example' });
    expect(created.headers['access-control-expose-headers']).toContain('company-token');
  });

  test('responds 429 with the waiting time when an address or a guest exceeds its limit', async () => {
    const limited = await createApp(
      { ...config, rateLimit: { perAddress: 5, perGuest: 2 } },
      { database: shared.database, now: () => now },
    );
    const { id, token } = await newGuest();
    const ask = (remoteAddress: string) =>
      limited.inject({ url: `/guests/${id}`, headers: headers(token), remoteAddress });
    const first = await ask('203.0.113.1');
    expect([
      first.statusCode,
      first.headers['ratelimit-limit'],
      first.headers['ratelimit-remaining'],
    ]).toEqual([200, '5', '4']);
    await ask('203.0.113.2');
    const third = await ask('203.0.113.3');
    expect([third.statusCode, readError(third)]).toEqual([
      429,
      expect.objectContaining({
        code: 'rate_limited',
        detail: expect.stringContaining('2 requests of this guest') as unknown,
      }),
    ]);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    const flood: LightMyRequestResponse[] = [];
    for (let count = 1; count <= 6; count++) {
      flood.push(await limited.inject({ url: '/.well-known/jwks.json', remoteAddress: '203.0.113.9' }));
    }
    expect(flood.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    const last = flood.at(-1) as LightMyRequestResponse;
    expect(readError(last)).toMatchObject({ code: 'rate_limited', status: '429' });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    const probes = await Promise.all(
      Array.from({ length: 9 }, () => limited.inject({ url: '/healthz', remoteAddress: '203.0.113.9' })),
    );
    expect(new Set(probes.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    await limited.close();
  });

  test('serves one guest from two instances started concurrently on the same database', async () => {
    const database = shared.url ? await openDatabase({ url: shared.url }) : shared.database;
    await Promise.all([
      database.migrate('gateway', gatewayMigrations),
      shared.database.migrate('gateway', gatewayMigrations),
    ]);
    const second = await createApp(config, { database, now: () => now });
    const { id, token } = await newGuest();
    const answer = await second.inject({ url: `/guests/${id}`, headers: headers(token) });
    expect(answer.statusCode).toBe(200);
    await second.close();
    if (database !== shared.database) await database.close();
  });

  test('describes exactly its routes in an OpenAPI document and on a page without scripts', async () => {
    await expectDescribed(app);
  });
});
