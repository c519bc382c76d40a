import { randomUUID } from 'node:crypto';
import { createToken } from '@site/server/secrets';
import { readData, readErrors, errorPointers } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { hostileValues } from '@site/server/testing/hostile';
import {
  askAsAdmin,
  attackWith,
  checkAnswer,
  sendBytes,
  type Someone,
} from '@site/server/testing/hostile-requests';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { gatewayDescription } from './api-description.ts';
import { createApp } from './app.ts';
import { gatewayDefaults } from './config.ts';
import { gatewayMigrations } from './migrations.ts';

const adminToken = createToken();

describe('the gateway', () => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  let victim: Someone;
  let eve: Someone;

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('gateway', gatewayMigrations);
    app = await createApp(
      { ...gatewayDefaults, rateLimit: { perAddress: 0, perGuest: 0 }, adminToken },
      { database: shared.database },
    );
    [victim, eve] = [await newGuest(), await newGuest()];
    await app.inject({
      method: 'PUT',
      url: `/guests/${victim.id}`,
      headers: { authorization: `Bearer ${victim.token}` },
      payload: { unique_id: victim.id, user_unique_id: victim.id, email: 'victim@example.com' },
    });
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  async function newGuest(): Promise<Someone> {
    const id = randomUUID();
    const answer = await app.inject({
      method: 'POST',
      url: '/guests',
      payload: { unique_id: id, user_unique_id: id },
    });
    return { id, token: answer.headers['company-token'] as string };
  }

  test('responds to any request with a documented error, and never shows or changes another guest', async () => {
    const bodies = (ids: fc.Arbitrary<string>) =>
      fc.record(
        {
          unique_id: ids,
          user_unique_id: ids,
          guest_unique_id: ids,
          email: hostileValues,
          name: hostileValues,
        },
        { requiredKeys: [] },
      );
    await attackWith(
      app,
      gatewayDescription,
      { victim, eve, bodies },
      {
        check(answer) {
          expect(answer.body).not.toContain('victim@example.com');
          const given = answer.headers['company-token'];
          if (typeof given === 'string') expect(decodeJwt(given)['user_unique_id']).not.toBe(victim.id);
        },
        numRuns: 500,
      },
    );
    const own = await app.inject({
      url: `/guests/${victim.id}`,
      headers: { authorization: `Bearer ${victim.token}` },
    });
    expect(readData(own).attributes).toMatchObject({ email: 'victim@example.com', name: '' });
  });

  test('stores any valid names of a guest, or names the invalid field', async () => {
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
        checkAnswer(answer, gatewayDescription);
        if (answer.statusCode === 200) return;
        if (answer.statusCode === 400) {
          // A body with prototype keys is rejected before its fields are validated.
          expect(JSON.stringify(given)).toMatch(/__proto__|constructor/);
          return;
        }
        for (const pointer of errorPointers(answer)) {
          expect(Object.keys(given).map((field) => `/${field}`)).toContain(pointer);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('rejects a token signed by another key, whatever its claims', async () => {
    const { privateKey } = await generateKeyPair('EdDSA');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (claims) => {
        const token = await new SignJWT({ ...claims, user_unique_id: victim.id, iss: 'gateway', aud: 'site' })
          .setProtectedHeader({ alg: 'EdDSA' })
          .setExpirationTime('1h')
          .sign(privateKey);
        const answer = await app.inject({
          url: `/guests/${victim.id}`,
          headers: { authorization: `Bearer ${token}` },
        });
        expect([answer.statusCode, readErrors(answer)[0]?.code]).toEqual([401, 'token_invalid']);
      }),
      { numRuns: 50 },
    );
  });

  test('responds to invalid JSON with a documented error', () =>
    sendBytes(app, gatewayDescription, eve, 200));

  test('rejects invalid ids, also from operators', () =>
    askAsAdmin(app, gatewayDescription, adminToken, 200));
});
