import { randomUUID } from 'node:crypto';
import { openDatabase } from '@site/server/open-database';
import type { Database } from '@site/server/open-database';
import { dataOf, errorsOf, pointersOf } from '@site/server/testing/answers';
import { START_WITHIN } from '@site/server/testing/each-database';
import { hostileHeaders, hostileIds, hostileValues } from '@site/server/testing/hostile';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { gatewayDescription } from './api-description.ts';
import { createApp } from './app.ts';
import { gatewayDefaults } from './config.ts';
import { gatewayMigrations } from './migrations.ts';

jest.setTimeout(120_000);

let database: Database;
let app: FastifyInstance;
let victim: { id: string; token: string };
let eve: { id: string; token: string };
let strangerKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

beforeAll(async () => {
  database = await openDatabase({ memory: true });
  await database.migrate('gateway', gatewayMigrations);
  app = await createApp({ ...gatewayDefaults, rateLimit: { perAddress: 0, perGuest: 0 } }, { database });
  [victim, eve] = [await newGuest(), await newGuest()];
  await app.inject({
    method: 'PUT',
    url: `/guests/${victim.id}`,
    headers: { authorization: `Bearer ${victim.token}` },
    payload: { unique_id: victim.id, user_unique_id: victim.id, email: 'victim@example.com' },
  });
  strangerKey = (await generateKeyPair('EdDSA')).privateKey;
}, START_WITHIN);
afterAll(async () => {
  await app.close();
  await database.close();
});

async function newGuest() {
  const id = randomUUID();
  const answer = await app.inject({
    method: 'POST',
    url: '/guests',
    payload: { unique_id: id, user_unique_id: id },
  });
  return { id, token: answer.headers['company-token'] as string };
}

/** Tokens that are not the victim's own: of another guest, unsigned, of another key or algorithm, damaged, huge. */
const tokens = fc.oneof(
  fc.constant(''),
  fc.constant(null).map(() => eve.token),
  fc.nat(200).map((length) => victim.token.slice(0, length)),
  fc.nat(150).map((at) => `${victim.token.slice(0, at)}A${victim.token.slice(at + 2)}`),
  fc
    .constant(null)
    .map(() => new UnsecuredJWT({ user_unique_id: victim.id }).setExpirationTime('1h').encode()),
  fc.constantFrom('EdDSA', 'HS256', 'ES256', 'none', 'RS256').chain((alg) =>
    fc.string().map((kid) => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${encode({ alg, kid })}.${encode({ user_unique_id: victim.id, exp: 9e9, iss: 'gateway', aud: 'site' })}.AAAA`;
    }),
  ),
  fc.constant('a.b.c'),
  fc.nat(6_000).map((size) => `a.${'b'.repeat(size)}.c`),
  fc.base64String().map((text) => `${text}.${text}.${text}`),
);

const codes = new Set(Object.keys(gatewayDescription.errors));

function checkAnswer(answer: Awaited<ReturnType<FastifyInstance['inject']>>): void {
  expect(answer.statusCode).toBeLessThan(500);
  expect(answer.body).not.toContain('victim@example.com');
  if (answer.statusCode < 400) return;
  const errors = errorsOf(answer);
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) {
    expect(codes).toContain(error.code);
    expect(error).toMatchObject({
      status: String(answer.statusCode),
      title: expect.any(String) as unknown,
      detail: expect.any(String) as unknown,
    });
  }
}

test('answers whatever is sent with a documented error, and never shows or changes another guest', async () => {
  const routes = fc.constantFrom(
    ['GET', (id: string) => `/guests/${id}`] as const,
    ['PUT', (id: string) => `/guests/${id}`] as const,
    ['POST', (id: string) => `/guests/${id}/auth`] as const,
    ['POST', () => '/guests'] as const,
  );
  const ids = fc.oneof(fc.constant('victim'), fc.constant('eve'), hostileIds);
  const bodies = fc.oneof(
    hostileValues,
    fc.record(
      {
        unique_id: ids,
        user_unique_id: ids,
        guest_unique_id: ids,
        email: hostileValues,
        name: hostileValues,
      },
      { requiredKeys: [] },
    ),
  );
  const idOf = (id: string) => (id === 'victim' ? victim.id : id === 'eve' ? eve.id : id);
  await fc.assert(
    fc.asyncProperty(
      routes,
      ids,
      bodies,
      tokens,
      hostileHeaders,
      async ([method, url], id, body, token, headers) => {
        const payload = JSON.stringify(body)
          .replaceAll('"victim"', `"${victim.id}"`)
          .replaceAll('"eve"', `"${eve.id}"`);
        const answer = await app.inject({
          method,
          url: url(encodeURIComponent(idOf(id))),
          headers: {
            ...headers,
            'content-type': 'application/json',
            ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          },
          ...(method === 'GET' ? {} : { payload }),
        });
        checkAnswer(answer);
        const given = answer.headers['company-token'];
        if (typeof given === 'string') {
          expect(
            JSON.parse(Buffer.from(given.split('.')[1] as string, 'base64url').toString()),
          ).not.toMatchObject({
            user_unique_id: victim.id,
          });
        }
      },
    ),
    { numRuns: 500 },
  );
  const own = await app.inject({
    url: `/guests/${victim.id}`,
    headers: { authorization: `Bearer ${victim.token}` },
  });
  expect(dataOf(own).attributes).toMatchObject({ email: 'victim@example.com', name: '' });
});

test('stores whatever a guest may call itself, or says which field it cannot take', async () => {
  const fields = fc.record(
    { email: hostileValues, name: hostileValues, username: hostileValues },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const answer = await app.inject({
        method: 'PUT',
        url: `/guests/${eve.id}`,
        headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ unique_id: eve.id, user_unique_id: eve.id, ...given }),
      });
      checkAnswer(answer);
      if (answer.statusCode === 200) return;
      if (answer.statusCode === 400) {
        // A body that would reach for a prototype is refused whole, before any field is looked at.
        expect(JSON.stringify(given)).toMatch(/__proto__|constructor/);
        return;
      }
      for (const pointer of pointersOf(answer)) {
        expect(Object.keys(given).map((field) => `/${field}`)).toContain(pointer);
      }
    }),
    { numRuns: 300 },
  );
});

test('refuses a token that a stranger signed, whatever it claims', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (claims) => {
      const token = await new SignJWT({ ...claims, user_unique_id: victim.id, iss: 'gateway', aud: 'site' })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime('1h')
        .sign(strangerKey);
      const answer = await app.inject({
        url: `/guests/${victim.id}`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([answer.statusCode, errorsOf(answer)[0]?.code]).toEqual([401, 'token_invalid']);
    }),
    { numRuns: 50 },
  );
});

test('answers bytes that are no JSON with a documented error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      checkAnswer(
        await app.inject({
          method: 'POST',
          url: '/guests',
          headers: { 'content-type': 'application/json' },
          payload: Buffer.from(bytes),
        }),
      );
    }),
    { numRuns: 200 },
  );
});
