import { randomUUID } from 'node:crypto';
import { formSources, GUEST_ROLE } from '@site/contract';
import { openDatabase } from '@site/server/open-database';
import type { Database } from '@site/server/open-database';
import { dataOf, errorsOf, pointersOf } from '@site/server/testing/answers';
import { START_WITHIN } from '@site/server/testing/each-database';
import { hostileHeaders, hostileIds, hostileValues } from '@site/server/testing/hostile';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { formsDescription } from './api-description.ts';
import { createApp } from './app.ts';
import { formsDefaults } from './config.ts';
import { formsMigrations } from './migrations.ts';
import { easyCaptcha, solveCaptcha } from './testing/solve-captcha.ts';

jest.setTimeout(120_000);

let database: Database;
let app: FastifyInstance;
const victim = { id: randomUUID(), token: '' };
const eve = { id: randomUUID(), token: '' };

beforeAll(async () => {
  database = await openDatabase({ memory: true });
  await database.migrate('forms', formsMigrations);
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  const keys = createLocalJWKSet({
    keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'EdDSA' }],
  });
  app = await createApp(
    {
      ...formsDefaults,
      jwksUrl: 'http://127.0.0.1:1/',
      rateLimit: { perAddress: 0, perGuest: 0 },
      captcha: easyCaptcha,
    },
    { database, keys },
  );
  for (const guest of [victim, eve]) {
    guest.token = await new SignJWT({ user_unique_id: guest.id, iss: 'gateway', aud: 'site' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k1' })
      .setExpirationTime('1h')
      .sign(pair.privateKey);
  }
  const registered = await app.inject({
    method: 'POST',
    url: `/identities/${victim.id}/register`,
    headers: { authorization: `Bearer ${victim.token}` },
    payload: {
      unique_id: victim.id,
      role_name: GUEST_ROLE.name,
      role_unique_id: GUEST_ROLE.unique_id,
      email: 'victim@example.com',
    },
  });
  expect(registered.statusCode).toBe(201);
}, START_WITHIN);
afterAll(async () => {
  await app.close();
  await database.close();
});

const codes = new Set(Object.keys(formsDescription.errors));
const tokens = fc.constantFrom('none', 'eve', 'damaged', 'nonsense');
const ids = fc.oneof(fc.constant('victim'), fc.constant('eve'), hostileIds);
const fieldTexts = fc.oneof(
  hostileValues.map((value) => JSON.stringify(value)),
  fc
    .record(
      { to_emails: fc.oneof(hostileValues, fc.array(hostileValues)), message: hostileValues },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record({
      first_name: hostileValues,
      phone: hostileValues,
      website: hostileValues,
      services: hostileValues,
    })
    .map((value) => JSON.stringify(value)),
  fc.string(),
);
const bodies = fc.oneof(
  hostileValues,
  fc.record(
    {
      unique_id: ids,
      role_name: fc.constantFrom('guest', 'admin'),
      role_unique_id: fc.constantFrom(GUEST_ROLE.unique_id, 'x'),
      name: hostileValues,
      email: fc.oneof(fc.constant('eve@example.com'), hostileValues),
      source_id: fc.oneof(fc.constantFrom(...Object.values(formSources)), hostileValues),
      form_fields: fieldTexts,
      visitor_unique_id: fc.oneof(fc.constant(''), ids),
      visitor_type: fc.constantFrom('guest', 'admin'),
    },
    { requiredKeys: [] },
  ),
);

test('answers whatever is sent with a documented error, and never shows or changes another identity', async () => {
  const routes = fc.constantFrom(
    ['GET', (id: string) => `/identities/${id}`] as const,
    ['PUT', (id: string) => `/identities/${id}`] as const,
    ['POST', (id: string) => `/identities/${id}/register`] as const,
    ['POST', () => '/subscriptions'] as const,
    ['GET', () => '/captcha'] as const,
  );
  const named = (text: string) =>
    text.replaceAll('"victim"', `"${victim.id}"`).replaceAll('"eve"', `"${eve.id}"`);
  await fc.assert(
    fc.asyncProperty(
      routes,
      ids,
      bodies,
      tokens,
      hostileHeaders,
      async ([method, url], id, body, token, headers) => {
        const bearer = { none: '', eve: eve.token, damaged: victim.token.slice(0, -9), nonsense: 'x' }[token];
        const payload = named(JSON.stringify(body));
        const answer = await app.inject({
          method,
          url: url(encodeURIComponent(id === 'victim' ? victim.id : id === 'eve' ? eve.id : id)),
          headers: {
            ...headers,
            'content-type': 'application/json',
            ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
          },
          ...(method === 'GET' ? {} : { payload }),
        });
        expect(answer.statusCode).toBeLessThan(500);
        expect(answer.body).not.toContain('victim@example.com');
        if (answer.statusCode < 400) return;
        const errors = errorsOf(answer);
        expect(errors.length).toBeGreaterThan(0);
        for (const error of errors) {
          expect(codes).toContain(error.code);
          expect(error).toMatchObject({
            status: String(answer.statusCode),
            detail: expect.any(String) as unknown,
          });
        }
      },
    ),
    { numRuns: 700 },
  );
  const own = await app.inject({
    url: `/identities/${victim.id}`,
    headers: { authorization: `Bearer ${victim.token}` },
  });
  expect(dataOf(own).attributes).toMatchObject({ email: 'victim@example.com', name: '' });
});

test('stores a form with one odd field, or points at that field', async () => {
  const referral = { to_emails: ['a@x.com'], message: 'hello' };
  const partner = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+1 303 555 0100',
    country: 'US',
    business_name: 'Engines',
    website: 'https://example.com',
    services: ['design'],
    how_heard: 'event',
    reference_note: '',
    captcha: '',
  };
  const forms = fc.oneof(
    fc.constantFrom(...Object.keys(referral)).map((field) => ['referral', referral, field] as const),
    fc.constantFrom(...Object.keys(partner)).map((field) => ['partner-application', partner, field] as const),
  );
  await fc.assert(
    fc.asyncProperty(
      forms,
      fc.oneof(hostileValues, fc.array(hostileValues)),
      async ([form, fields, field], value) => {
        const answer = await app.inject({
          method: 'POST',
          url: '/subscriptions',
          payload: {
            email: 'ada@example.com',
            source_id: formSources[form],
            form_fields: JSON.stringify({ ...fields, captcha: await solveCaptcha(app), [field]: value }),
            visitor_unique_id: '',
            visitor_type: 'guest',
          },
        });
        if (field === 'captcha') expect([403, 422]).toContain(answer.statusCode);
        else expect([201, 422]).toContain(answer.statusCode);
        if (answer.statusCode === 201) return;
        for (const pointer of pointersOf(answer)) {
          // A text that is too long as a whole is no single field's fault.
          expect(pointer).toMatch(new RegExp(`^/form_fields(/${field}(/\\d+)?)?$`));
        }
      },
    ),
    { numRuns: 500 },
  );
});
