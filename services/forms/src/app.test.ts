import { randomUUID } from 'node:crypto';
import { FormContractDocumentSchema, formSources, GUEST_ROLE } from '@site/contract';
import { expectDescribed } from '@site/server/testing/expect-described';
import { readData, readErrors, errorPointers } from '@site/server/testing/answers';
import { databases, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { sql } from 'kysely';
import * as v from 'valibot';
import { createApp } from './app.ts';
import { HOUR_MS } from '@site/server/durations';
import { createParts } from './parts.ts';
import { formsDefaults } from './config.ts';
import { formsMigrations } from './migrations.ts';
import type { FormsTables } from './kernel/tables.ts';
import { easyCaptcha, solveCaptcha } from './testing/solve-captcha.ts';

const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/jwks.json',
  appIds: ['site-app'],
  origins: ['https://site.example'],
  rateLimit: { perAddress: 0, perGuest: 0 },
  captcha: easyCaptcha,
  postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
};

const partner = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+1 303 555 0100',
  country: 'US',
  business_name: 'Engines',
  services: ['design', 'support'],
  how_heard: 'event',
};

describe.each(databases)('the forms service on $name', ({ start }) => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  let key: CryptoKey;
  let now = Date.parse('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    shared = await start();
    await shared.database.migrate('forms', formsMigrations);
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    key = pair.privateKey;
    const keys = createLocalJWKSet({
      keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'EdDSA' }],
    });
    app = await createApp(createParts(config, { database: shared.database, now: () => now, keys }));
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  const tokenFor = (guest: string, claims: Record<string, unknown> = {}, alg = 'EdDSA', signingKey = key) =>
    new SignJWT({ user_unique_id: guest, iss: 'gateway', aud: 'site', exp: now / 1000 + 60, ...claims })
      .setProtectedHeader({ alg, kid: 'k1' })
      .sign(signingKey);
  const headers = (token?: string, more: Record<string, string> = {}) => ({
    appid: 'site-app',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...more,
  });
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, token?: string, payload?: object) =>
    app.inject({ method, url, headers: headers(token), ...(payload ? { payload } : {}) });
  const readError = (answer: LightMyRequestResponse) => readErrors(answer)[0];
  const errorCode = (answer: LightMyRequestResponse) => [answer.statusCode, readError(answer)?.code];

  async function newGuest() {
    const id = randomUUID();
    return { id, token: await tokenFor(id) };
  }
  const readRows = (visitor: string) =>
    shared.database
      .schema<FormsTables>('forms')
      .selectFrom('subscriptions')
      .selectAll()
      .where('visitor_unique_id', '=', visitor)
      .execute();

  describe('identities', () => {
    const registration = (id: string) => ({
      unique_id: id,
      role_name: 'guest',
      role_unique_id: GUEST_ROLE.unique_id,
    });

    test('are registered once, with the guest role included', async () => {
      const { id, token } = await newGuest();
      const first = await call('POST', `/identities/${id}/register`, token, registration(id));
      const again = await call('POST', `/identities/${id}/register`, token, {
        ...registration(id),
        name: 'Other',
      });
      expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
      expect(again.json()).toEqual(first.json());
      expect(first.json()).toEqual({
        data: {
          type: 'identities',
          id,
          attributes: {
            unique_id: id,
            email: '',
            name: '',
            username: '',
            registered_at: new Date(now).toISOString(),
          },
          relationships: { role: { data: { type: 'roles', id: GUEST_ROLE.unique_id } } },
          links: { self: `/identities/${id}` },
        },
        included: [{ type: 'roles', id: GUEST_ROLE.unique_id, attributes: { name: 'guest' } }],
        links: { self: `/identities/${id}` },
      });
    });

    test('keep their registration time when the guest returns later, however often', async () => {
      const { id, token } = await newGuest();
      const registered = new Date(now).toISOString();
      const row = () =>
        shared.database
          .schema<FormsTables>('forms')
          .selectFrom('identities')
          .select(['registered_at', 'last_seen_at'])
          .where('unique_id', '=', id)
          .executeTakeFirstOrThrow();
      await call('POST', `/identities/${id}/register`, token, registration(id));
      for (const _ of ['second', 'third']) {
        now += HOUR_MS;
        const again = await call('POST', `/identities/${id}/register`, await tokenFor(id), registration(id));
        expect(again.json()).toMatchObject({ data: { attributes: { registered_at: registered } } });
        expect(await row()).toEqual({ registered_at: new Date(registered), last_seen_at: new Date(now) });
      }
    });

    test('omit their role if "include" is empty, and have no empty fields', async () => {
      const { id, token } = await newGuest();
      await call('POST', `/identities/${id}/register`, token, registration(id));
      const included = async (query: string) =>
        (await call('GET', `/identities/${id}${query}`, token)).json<{ included?: { type: string }[] }>()
          .included;
      expect(await included('')).toMatchObject([{ type: 'roles' }]);
      expect(await included('?include=role')).toMatchObject([{ type: 'roles' }]);
      expect(await included('?include=')).toEqual([]);
      expect(errorCode(await call('GET', `/identities/${id}?include=guest`, token))).toEqual([
        400,
        'query_unsupported',
      ]);
    });

    test('can be read and changed once they are registered', async () => {
      const { id, token } = await newGuest();
      expect(errorCode(await call('GET', `/identities/${id}`, token))).toEqual([404, 'identity_not_found']);
      expect(errorCode(await call('PUT', `/identities/${id}`, token, { unique_id: id }))).toEqual([
        404,
        'identity_not_found',
      ]);
      await call('POST', `/identities/${id}/register`, token, registration(id));
      const changed = await call('PUT', `/identities/${id}`, token, {
        unique_id: id,
        name: 'Ada',
      });
      expect(changed.statusCode).toBe(200);
      expect(changed.json()).toMatchObject({
        data: { attributes: { name: 'Ada', email: '' } },
        included: [{ attributes: { name: 'guest' } }],
      });
      expect((await call('GET', `/identities/${id}`, token)).json()).toEqual(changed.json());
    });

    test('reject unknown fields by name', async () => {
      const { id, token } = await newGuest();
      const fields = { ...registration(id), nickname: 'Ada' };
      const register = await call('POST', `/identities/${id}/register`, token, fields);
      expect([...errorCode(register), errorPointers(register)]).toEqual([422, 'body_invalid', ['/nickname']]);
      await call('POST', `/identities/${id}/register`, token, registration(id));
      const change = await call('PUT', `/identities/${id}`, token, { unique_id: id, role_name: 'admin' });
      expect([...errorCode(change), errorPointers(change)]).toEqual([422, 'body_invalid', ['/role_name']]);
    });

    test('have no other role than guest', async () => {
      const { id, token } = await newGuest();
      const answer = await call('POST', `/identities/${id}/register`, token, {
        ...registration(id),
        role_name: 'admin',
      });
      expect(errorCode(answer)).toEqual([422, 'body_invalid']);
      expect(readError(answer)?.source).toEqual({ pointer: '/role_name' });
    });

    test('are registered only under the id of the path', async () => {
      const { id, token } = await newGuest();
      const answer = await call('POST', `/identities/${id}/register`, token, registration(randomUUID()));
      expect(errorCode(answer)).toEqual([409, 'identity_id_mismatch']);
    });

    test("are closed to other guests' tokens and to requests without one", async () => {
      const { token } = await newGuest();
      for (const id of [randomUUID(), 'x']) {
        for (const [method, url] of [
          ['GET', `/identities/${id}`],
          ['PUT', `/identities/${id}`],
          ['POST', `/identities/${id}/register`],
        ] as const) {
          const payload = method === 'GET' ? undefined : registration(id);
          expect(errorCode(await call(method, url, token, payload))).toEqual([403, 'guest_not_yours']);
          expect(errorCode(await call(method, url, undefined, payload))).toEqual([401, 'token_missing']);
        }
      }
    });
  });

  describe('tokens', () => {
    test('are rejected if forged, damaged or expired', async () => {
      const id = randomUUID();
      const stranger = await generateKeyPair('EdDSA');
      const jwk = await exportJWK(key);
      const secret = new TextEncoder().encode(String(jwk.x));
      const good = await tokenFor(id);
      const cases: [string, string, string][] = [
        ['of another key', await tokenFor(id, {}, 'EdDSA', stranger.privateKey), 'token_invalid'],
        [
          'of another algorithm',
          await tokenFor(id, {}, 'HS256', secret as unknown as CryptoKey),
          'token_invalid',
        ],
        ['of another issuer', await tokenFor(id, { iss: 'else' }), 'token_invalid'],
        ['for another audience', await tokenFor(id, { aud: 'else' }), 'token_invalid'],
        ['without exp', await tokenFor(id, { exp: undefined }), 'token_invalid'],
        ['without a guest', await tokenFor(id, { user_unique_id: 7 }), 'token_invalid'],
        ['truncated', good.slice(0, -20), 'token_invalid'],
        ['no token', 'abc', 'token_invalid'],
        ['expired', await tokenFor(id, { exp: now / 1000 - 60 }), 'token_expired'],
      ];
      for (const [title, token, code] of cases) {
        expect([title, ...errorCode(await call('GET', `/identities/${id}`, token))]).toEqual([
          title,
          401,
          code,
        ]);
      }
    });

    test("cannot be verified while the gateway's keys are unavailable, which is not a client error", async () => {
      const cut = await createApp(createParts(config, { database: shared.database, now: () => now }));
      const { id, token } = await newGuest();
      const answer = await cut.inject({ url: `/identities/${id}`, headers: headers(token) });
      expect(errorCode(answer)).toEqual([503, 'unavailable']);
      await cut.close();
    });
  });

  describe('subscriptions', () => {
    const newsletter = (visitor: string, email = 'ada@example.com') => ({
      email,
      source_id: formSources.newsletter,
      form_fields: email,
      visitor_unique_id: visitor,
      visitor_type: 'guest',
    });
    const form = (name: keyof typeof formSources, visitor: string, fields: object) => ({
      ...newsletter(visitor),
      source_id: formSources[name],
      form_fields: JSON.stringify(fields),
    });
    const post = (payload: object, token?: string, more?: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/subscriptions', headers: headers(token, more), payload });
    const solved = async (name: keyof typeof formSources, visitor: string, fields: object) =>
      form(name, visitor, { ...fields, captcha: await solveCaptcha(app, 'site-app') });
    const readEmails = async (visitor: string) => {
      const rows = await shared.database
        .schema<FormsTables>('forms')
        .selectFrom('emails')
        .innerJoin('subscriptions', 'subscriptions.id', 'emails.subscription_id')
        .selectAll('emails')
        .where('visitor_unique_id', '=', visitor)
        .orderBy('recipient')
        .execute();
      return rows;
    };

    test('to the newsletter are stored with the fields of the specification', async () => {
      const { id, token } = await newGuest();
      const answer = await post(newsletter(id), token);
      expect(answer.statusCode).toBe(201);
      expect(readData(answer)).toEqual({
        type: 'subscriptions',
        id: expect.any(String) as unknown,
        attributes: {
          email: 'ada@example.com',
          source_id: formSources.newsletter,
          created_at: new Date(now).toISOString(),
          confirmation: 'held',
        },
        relationships: { visitor: { data: { type: 'guests', id } } },
      });
      expect(await readRows(id)).toEqual([
        expect.objectContaining({ ...newsletter(id), suspected_spam: false }),
      ]);
    });

    test('to the newsletter are stored once per visitor and email, whatever the key and the case', async () => {
      const { id, token } = await newGuest();
      await post(newsletter(id), token, { 'idempotency-key': randomUUID() });
      for (const answer of [
        await post(newsletter(id), token),
        await post(newsletter(id, 'ADA@example.com'), token, { 'idempotency-key': randomUUID() }),
      ]) {
        // The response must not reveal whether an address is known or was removed.
        expect(answer.statusCode).toBe(201);
      }
      expect(await readRows(id)).toHaveLength(1);
    });

    test("do not reveal that another visitor's email is subscribed", async () => {
      const ada = await newGuest();
      const eve = await newGuest();
      await post(newsletter(ada.id), ada.token);
      expect((await post(newsletter(eve.id), eve.token)).statusCode).toBe(201);
      await post(newsletter(''));
      expect((await post(newsletter(''))).statusCode).toBe(201);
    });

    test('are stored once for many concurrent requests with one key', async () => {
      const { id, token } = await newGuest();
      const key = { 'idempotency-key': randomUUID() };
      const referral = await solved('referral', id, { to_emails: 'a@x.com' });
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(referral, token, key)));
      expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 200, 200, 200, 201]);
      expect(new Set(answers.map((answer) => readData(answer).id)).size).toBe(1);
      expect(await readRows(id)).toHaveLength(1);
    });

    test.each([
      ['by_mail', { smtpUrl: 'smtp://127.0.0.1:1', from: 'hello@site.example' }],
      ['held', null],
    ] as const)(
      'of referrals and the newsletter report the confirmation %s where the mail server is %j, also repeated and as spam, others do not',
      async (confirmation, mail) => {
        const service = await createApp(
          createParts({ ...config, mail }, { database: shared.database, now: () => now }),
        );
        const send = async (name: keyof typeof formSources, fields: object) => {
          const payload = await solved(name, '', fields);
          return service.inject({ method: 'POST', url: '/subscriptions', headers: headers(), payload });
        };
        const fields = { to_emails: `${randomUUID()}@x.com` };
        const key = { 'idempotency-key': randomUUID() };
        const referral = await solved('referral', '', fields);
        for (const status of [201, 200]) {
          const answer = await service.inject({
            method: 'POST',
            url: '/subscriptions',
            headers: headers(undefined, key),
            payload: referral,
          });
          expect([answer.statusCode, readData(answer).attributes['confirmation']]).toEqual([
            status,
            confirmation,
          ]);
        }
        const spam = await send('referral', { ...fields, reference_note: 'x' });
        expect([spam.statusCode, readData(spam).attributes['confirmation']]).toEqual([201, confirmation]);
        const letter = await service.inject({
          method: 'POST',
          url: '/subscriptions',
          headers: headers(),
          payload: newsletter(''),
        });
        expect(readData(letter).attributes['confirmation']).toBe(confirmation);
        const application = await send('partner-application', partner);
        expect([application.statusCode, readData(application).attributes['confirmation']]).toEqual([
          201,
          null,
        ]);
        await service.close();
      },
    );

    test('reject a key that was used for another submission', async () => {
      const { id, token } = await newGuest();
      const key = { 'idempotency-key': randomUUID() };
      await post(await solved('referral', id, { to_emails: 'a@x.com' }), token, key);
      const answer = await post(await solved('referral', id, { to_emails: 'b@x.com' }), token, key);
      expect(errorCode(answer)).toEqual([422, 'idempotency_key_reused']);
      expect(await readRows(id)).toHaveLength(1);
    });

    test('retried with their key after the visitor got, lost or changed an identity are stored and emailed once', async () => {
      const [ada, other] = [await newGuest(), await newGuest()];
      for (const [first, next] of [
        [{ id: '', token: undefined }, ada],
        [ada, { id: '', token: undefined }],
        [ada, other],
      ] as const) {
        const key = { 'idempotency-key': randomUUID() };
        const fields = { to_emails: `${randomUUID()}@x.com` };
        const stored = await post(await solved('referral', first.id, fields), first.token, key);
        const again = await post(await solved('referral', next.id, fields), next.token, key);
        expect([stored.statusCode, again.statusCode]).toEqual([201, 200]);
        expect(readData(again)).toMatchObject({
          id: readData(stored).id,
          // The original visitor is not revealed.
          relationships: { visitor: { data: next.id === '' ? null : { id: next.id } } },
        });
        const queued = shared.database.schema<FormsTables>('forms').selectFrom('emails').selectAll();
        expect(await queued.where('recipient', '=', fields.to_emails).execute()).toHaveLength(1);

        const different = await post(
          await solved('referral', next.id, { to_emails: 'z@x.com' }),
          next.token,
          key,
        );
        expect(errorCode(different)).toEqual([422, 'idempotency_key_reused']);
        if (first.id !== '') expect(different.body).not.toContain(first.id);
      }
    });

    test('without a key are equal if their contents are, and stored again with a new key', async () => {
      const { id, token } = await newGuest();
      const referral = () => solved('referral', id, { to_emails: ['a@x.com', 'b@x.com'] });
      expect((await post(await referral(), token)).statusCode).toBe(201);
      const repeated = await solved('referral', id, { to_emails: 'a@x.com, b@x.com' });
      expect((await post(repeated, token)).statusCode).toBe(200);
      expect((await post(await referral(), token, { 'idempotency-key': randomUUID() })).statusCode).toBe(201);
      expect(await readRows(id)).toHaveLength(2);
    });

    test('keep the checked fields of the partner form as text, without the captcha', async () => {
      const { id, token } = await newGuest();
      const answer = await post(
        await solved('partner-application', id, { ...partner, website: 'example.com' }),
        token,
      );
      expect(answer.statusCode).toBe(201);
      const [row] = await readRows(id);
      expect(JSON.parse(row?.form_fields ?? '')).toEqual({ ...partner, website: 'https://example.com' });
    });

    test('with a filled honeypot are stored as suspected spam and get the normal response', async () => {
      const { id, token } = await newGuest();
      const answer = await post(form('referral', id, { to_emails: 'a@x.com', reference_note: 'buy' }), token);
      expect(answer.statusCode).toBe(201);
      expect(await readRows(id)).toEqual([
        expect.objectContaining({ suspected_spam: true, verified_by: 'rate_limit' }),
      ]);
      expect(await readEmails(id)).toEqual([]);
    });

    test('with a filled honeypot are stored shortened, and at most a thousand, so that the disk cannot be filled', async () => {
      const db = shared.database.schema<FormsTables>('forms');
      await sql`
        insert into ${sql.id('forms', 'subscriptions')}
          (id, email, source_id, form_fields, visitor_unique_id, visitor_type, suspected_spam, verified_by, content_hash,
           created_at)
        select gen_random_uuid(), 'spam' || i || '@example.com', ${formSources.referral}, '{}', '', 'guest', true, 'rate_limit', 'x',
          ${new Date(now - 1_000_000)}::timestamptz + i * interval '1 millisecond'
        from generate_series(1, 1200) as i`.execute(db);
      const note = 'buy '.repeat(100);
      const to_emails = Array.from({ length: 20 }, (_, index) => `${'a'.repeat(60)}${index}@example.com`);
      const spam = { to_emails, message: 'x'.repeat(2_000), reference_note: note };
      const sent = await Promise.all(
        [randomUUID(), randomUUID(), randomUUID()].map((key) =>
          post(form('referral', '', spam), undefined, { 'idempotency-key': key }),
        ),
      );
      expect(sent.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
      const rows = await db
        .selectFrom('subscriptions')
        .select(['email', 'form_fields'])
        .where('suspected_spam', '=', true)
        .execute();
      expect(rows).toHaveLength(1_000);
      expect(rows.map(({ email }) => email)).not.toContain('spam203@example.com');
      expect(rows.map(({ email }) => email)).toContain('spam1200@example.com');
      const stored = rows.filter(({ form_fields }) => form_fields !== '{}').map((row) => row.form_fields);
      expect(Math.max(...stored.map((text) => text.length))).toBeLessThan(1_500);
      expect(stored).toEqual(expect.arrayContaining([expect.stringContaining('buy buy')]));
    });

    test('to the newsletter with a filled honeypot are stored as suspected spam too', async () => {
      const { id, token } = await newGuest();
      const body = { ...newsletter(id), reference_note: 'buy' };
      expect((await post(body, token)).statusCode).toBe(201);
      expect(await readRows(id)).toEqual([expect.objectContaining({ suspected_spam: true })]);
    });

    test('of a referral store it and queue an email to its sender and one unconfirmed invitation per recipient', async () => {
      const { id, token } = await newGuest();
      const key = { 'idempotency-key': randomUUID() };
      const referral = await solved('referral', id, {
        to_emails: 'b@x.com, a@x.com, A@x.com',
        message: 'Hi',
      });
      const answer = await post(referral, token, key);
      await post(referral, token, key);
      const queued = { subscription_id: readData(answer).id, sender: 'ada@example.com', message: 'Hi' };
      expect(await readEmails(id)).toEqual([
        expect.objectContaining({ ...queued, recipient: 'a@x.com', status: 'unconfirmed', attempts: 0 }),
        expect.objectContaining({
          ...queued,
          kind: 'confirmation',
          recipient: 'ada@example.com',
          message: '',
          status: 'waiting',
        }),
        expect.objectContaining({ ...queued, recipient: 'b@x.com', status: 'unconfirmed', attempts: 0 }),
      ]);
      expect(await readRows(id)).toEqual([expect.objectContaining({ verified_by: 'captcha' })]);
    });

    test('accept each captcha once, also from two concurrent submissions', async () => {
      const { id, token } = await newGuest();
      const captcha = await solveCaptcha(app, 'site-app');
      const sent = await Promise.all(
        ['a@x.com', 'b@x.com'].map((to_emails) =>
          post(form('referral', id, { to_emails, captcha }), token, { 'idempotency-key': randomUUID() }),
        ),
      );
      expect(sent.map((answer) => answer.statusCode).sort()).toEqual([201, 403]);
      expect(await readRows(id)).toHaveLength(1);
      expect(await readEmails(id)).toHaveLength(2);
    });

    test('can be retried with their spent captcha', async () => {
      const { id, token } = await newGuest();
      const key = { 'idempotency-key': randomUUID() };
      const referral = await solved('referral', id, { to_emails: 'a@x.com' });
      expect((await post(referral, token, key)).statusCode).toBe(201);
      expect((await post(referral, token, key)).statusCode).toBe(200);
      now += 3_600_000;
      const late = { ...key };
      expect((await post(referral, await tokenFor(id), late)).statusCode).toBe(200);
      now -= 3_600_000;
    });

    test('reject a captcha that is missing, unreadable, altered, guessed or expired', async () => {
      const { id } = await newGuest();
      const good = await solveCaptcha(app, 'site-app');
      type Payload = {
        challenge: { parameters: Record<string, unknown>; signature: string };
        solution: Record<string, unknown>;
      };
      const altered = (change: (payload: Payload) => void) => {
        const payload = JSON.parse(Buffer.from(good, 'base64').toString()) as Payload;
        change(payload);
        return Buffer.from(JSON.stringify(payload)).toString('base64');
      };
      const refused = async (captcha: string) => {
        const answer = await post(
          form('referral', id, { to_emails: 'a@x.com', captcha }),
          await tokenFor(id),
        );
        expect(errorCode(answer)).toEqual([403, 'captcha_invalid']);
        expect(readError(answer)?.source).toEqual({ pointer: '/form_fields/captcha' });
        return readError(answer)?.detail;
      };
      expect(await refused('')).toMatch('There is no solution.');
      expect(await refused('e30=')).toMatch('The solution cannot be read.');
      expect(await refused(altered((payload) => (payload.solution['derivedKey'] = '00'.repeat(32))))).toMatch(
        'The solution is wrong.',
      );
      const cheaper = altered((payload) => (payload.challenge.parameters['cost'] = 0));
      expect(await refused(cheaper)).toMatch('The solution is wrong.');
      now += 601_000;
      expect(await refused(good)).toMatch('The challenge has expired.');
      now -= 601_000;
      expect(await readRows(id)).toEqual([]);
    });

    test('point at the invalid field of the form', async () => {
      const { id, token } = await newGuest();
      const refused = async (payload: object) => {
        const answer = await post(payload, token);
        expect(answer.statusCode).toBe(422);
        return errorPointers(answer);
      };
      expect(await refused(form('referral', id, { to_emails: ['a@x.com', 'nobody'] }))).toEqual([
        '/form_fields/to_emails/1',
      ]);
      expect(
        await refused(
          form('partner-application', id, { ...partner, phone: '1', services: ['sells', 'magic'] }),
        ),
      ).toEqual(['/form_fields/phone', '/form_fields/services/1']);
      expect(await refused({ ...form('referral', id, {}), form_fields: '{' })).toEqual(['/form_fields']);
      expect(await refused({ ...form('referral', id, {}), form_fields: '[]' })).toEqual(['/form_fields']);
      expect(await refused({ ...newsletter(id), form_fields: 'b@x.com' })).toEqual(['/form_fields']);
      expect(await refused({ ...newsletter(id), email: ' ' })).toEqual(['/email']);
      expect(await refused({ ...newsletter(id), source_id: randomUUID() })).toEqual(['/source_id']);
      expect(await refused({ ...newsletter(id), visitor_type: 'admin' })).toEqual(['/visitor_type']);
      expect(await readRows(id)).toEqual([]);
    });

    test("are accepted without an identity, but never under another visitor's identity", async () => {
      const { id, token } = await newGuest();
      expect((await post(newsletter(''))).statusCode).toBe(201);
      expect(errorCode(await post(newsletter(id)))).toEqual([401, 'token_missing']);
      expect(errorCode(await post(newsletter(randomUUID()), token))).toEqual([403, 'guest_not_yours']);
      expect(errorCode(await post(newsletter(''), 'broken'))).toEqual([401, 'token_invalid']);
    });

    test('with unknown fields are rejected by name, never stored without them', async () => {
      const { id, token } = await newGuest();
      const fields = { to_emails: 'a@x.com', referral_code: 'SAVE10', __proto__: null };
      const referral = JSON.stringify({ ...fields, 'a/b': '1' }).replace('{', '{"__proto__":{"x":1},');
      const cases: [object, string[]][] = [
        [
          { ...form('referral', id, {}), form_fields: referral },
          ['/form_fields/__proto__', '/form_fields/a~1b', '/form_fields/referral_code'],
        ],
        [form('partner-application', id, { ...partner, linkedin: 'x' }), ['/form_fields/linkedin']],
        [{ ...newsletter(id), topics: ['news'], phone: '1' }, ['/phone', '/topics']],
      ];
      for (const [payload, pointers] of cases) {
        const answer = await post(payload, token);
        expect(errorCode(answer)).toEqual([422, 'body_invalid']);
        expect(errorPointers(answer).sort()).toEqual(pointers);
      }
      expect(readError(await post({ ...newsletter(id), topics: [] }, token))?.detail).toBe(
        'The service does not know the field “topics”, so nothing was stored.',
      );
      const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
      expect(errorPointers(await post({ ...newsletter(id), ...many }, token))).toHaveLength(20);
      expect(await readRows(id)).toEqual([]);
    });

    test('have exactly the fields of the form contract', async () => {
      const answer = await app.inject('/form-contract');
      const { data } = v.parse(FormContractDocumentSchema, answer.json());
      expect(data.attributes.forms['referral']).toEqual({
        source_id: formSources.referral,
        fields: {
          email: 'required',
          to_emails: 'required',
          message: 'optional',
          reference_note: 'optional',
          captcha: 'optional',
        },
      });
      const { id, token } = await newGuest();
      const all: Record<string, unknown> = { ...partner, website: '', reference_note: '', email: undefined };
      const { fields } = data.attributes.forms['partner-application']!;
      expect(Object.keys(fields).sort()).toEqual([...Object.keys(all), 'captcha'].sort());
      expect((await post(await solved('partner-application', id, all), token)).statusCode).toBe(201);
      for (const [name, need] of Object.entries(fields)) {
        if (need === 'optional' || name === 'email') continue;
        const without = await post(form('partner-application', id, { ...all, [name]: undefined }), token);
        expect(errorPointers(without)).toEqual([`/form_fields/${name}`]);
      }
    });

    test("require the site's app id", async () => {
      const answer = await app.inject({ method: 'POST', url: '/subscriptions', payload: newsletter('') });
      expect(errorCode(answer)).toEqual([401, 'app_unknown']);
    });
  });

  test('describes exactly its routes in an OpenAPI document and on a page without scripts', async () => {
    await expectDescribed(app);
  });
});
