import { randomUUID } from 'node:crypto';
import { formContracts, formOfSource, formSources, GUEST_ROLE } from '@site/contract';
import { createToken } from '@site/server/secrets';
import { readData, errorPointers } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { hostileValues } from '@site/server/testing/hostile';
import {
  askAsAdmin,
  attackWith,
  checkAnswer,
  formPost,
  sendBytes,
} from '@site/server/testing/hostile-requests';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { formsDescription } from './api-description.ts';
import { createApp } from './app.ts';
import { createParts } from './parts.ts';
import { formsDefaults } from './config.ts';
import { formsMigrations } from './migrations.ts';
import { easyCaptcha, solveCaptcha } from './testing/solve-captcha.ts';

const adminToken = createToken();
const site = 'https://site.example';

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
const bodies = (ids: fc.Arbitrary<string>) =>
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
  );

describe('the forms service', () => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  const victim = { id: randomUUID(), token: '' };
  const eve = { id: randomUUID(), token: '' };

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const keys = createLocalJWKSet({
      keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'EdDSA' }],
    });
    app = await createApp(
      createParts(
        {
          ...formsDefaults,
          jwksUrl: 'http://127.0.0.1:1/',
          rateLimit: { perAddress: 0, perGuest: 0 },
          captcha: easyCaptcha,
          origins: [site],
          postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
          adminToken,
        },
        { database: shared.database, keys },
      ),
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
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  test('responds to any request with a documented error, and never shows or changes another identity', async () => {
    await attackWith(
      app,
      formsDescription,
      { victim, eve, bodies },
      { check: (answer) => expect(answer.body).not.toContain('victim@example.com'), numRuns: 700 },
    );
    const own = await app.inject({
      url: `/identities/${victim.id}`,
      headers: { authorization: `Bearer ${victim.token}` },
    });
    expect(readData(own).attributes).toMatchObject({ email: 'victim@example.com', name: '' });
  });

  test('responds to any form post with a page, and stores it or shows what to correct', async () => {
    const text = fc.oneof(hostileValues, fc.string());
    const lists = fc.oneof(fc.constantFrom('a@x.com', 'a@x.com, b@x.com'), text);
    const posts = fc.record(
      {
        source_id: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...Object.values(formSources)) }, text),
        email: fc.oneof({ weight: 3, arbitrary: fc.constant('eve@example.com') }, text),
        to_emails: lists,
        message: text,
        first_name: text,
        last_name: text,
        phone: fc.oneof(fc.constant('+1 303 555 0100'), text),
        country: fc.oneof(fc.constant('US'), text),
        business_name: text,
        website: text,
        services: fc.oneof(fc.array(fc.constantFrom('design', 'support')), fc.array(text), text),
        how_heard: fc.oneof(fc.constant('event'), text),
        reference_note: fc.oneof(fc.constant(''), text),
        captcha: text,
        site: text,
      },
      { requiredKeys: ['source_id'] },
    );
    // A form ignores fields of other forms only.
    const ofOneForm = posts.map((body) => {
      const form = typeof body.source_id === 'string' ? formOfSource(body.source_id) : null;
      const names = form ? ['source_id', 'site', 'captcha', ...Object.keys(formContracts[form].fields)] : [];
      return form ? Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))) : body;
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: ofOneForm }, posts), async (body) => {
        const answer = await app.inject({ method: 'POST', url: '/subscriptions', ...formPost(body, site) });
        checkAnswer(answer, formsDescription);
        expect([303, 422]).toContain(answer.statusCode);
        if (answer.statusCode === 422) expect(answer.headers['content-type']).toContain('text/html');
        statuses.add(answer.statusCode);
      }),
      { numRuns: 400 },
    );
    expect(statuses).toEqual(new Set([303, 422]));
  });

  test('responds to invalid JSON with a documented error', () => sendBytes(app, formsDescription, eve, 200));

  test('rejects invalid ids, also from operators', () => askAsAdmin(app, formsDescription, adminToken, 200));

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
      fc
        .constantFrom(...Object.keys(partner))
        .map((field) => ['partner-application', partner, field] as const),
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
          for (const pointer of errorPointers(answer)) {
            // A text that is too long as a whole is not one field's error.
            expect(pointer).toMatch(new RegExp(`^/form_fields(/${field}(/\\d+)?)?$`));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
