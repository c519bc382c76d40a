import { randomUUID } from 'node:crypto';
import { createToken } from '@site/server/secrets';
import { readData, readErrors } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { gatewayDefaults } from './config.ts';
import { gatewayMigrations } from './migrations.ts';
import type { GatewayTables } from './tables.ts';

const adminToken = createToken();

describe("a visitor's data", () => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  const now = Date.parse('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('gateway', gatewayMigrations);
    app = await createApp({ ...gatewayDefaults, adminToken }, { database: shared.database, now: () => now });
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  async function newGuest(email: string) {
    const id = randomUUID();
    const created = await app.inject({
      method: 'POST',
      url: '/guests',
      payload: { unique_id: id, user_unique_id: id },
      headers: { 'idempotency-key': id },
    });
    const token = created.headers['company-token'] as string;
    await app.inject({
      method: 'PUT',
      url: `/guests/${id}`,
      headers: { authorization: `Bearer ${token}` },
      payload: { unique_id: id, user_unique_id: id, email },
    });
    return { id, token };
  }
  const admin = (method: 'GET' | 'DELETE', id: string, token: string | null = adminToken) =>
    app.inject({
      method,
      url: `/admin/visitors/${id}`,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
  const audit = () =>
    shared.database.schema<GatewayTables>('gateway').selectFrom('audit').selectAll().execute();

  test('is exported completely: all columns of the guest', async () => {
    const { id } = await newGuest('ada@example.com');
    const answer = await admin('GET', id.toUpperCase());
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const at = new Date(now).toISOString();
    expect(readData(answer)).toEqual({
      type: 'visitors',
      id,
      attributes: {
        guests: [
          {
            unique_id: id,
            user_unique_id: id,
            email: 'ada@example.com',
            name: '',
            username: '',
            status: 'active',
            current_visiting_at: at,
            current_visiting_ip: '127.0.0.0',
            last_visiting_at: null,
            last_visiting_ip: null,
            registered_at: at,
            creation_key_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
          },
        ],
      },
    });
  });

  test('is erased once, leaves an audit entry without personal data, and touches no other guest', async () => {
    const other = await newGuest('grace@example.com');
    const { id, token } = await newGuest('ada@example.com');
    const entries = await audit();
    const answer = await admin('DELETE', id);
    expect([answer.statusCode, readData(answer)]).toEqual([
      200,
      {
        type: 'visitor-erasures',
        id: expect.any(String) as unknown,
        attributes: { erased_at: new Date(now).toISOString(), rows: { guests: 1 } },
      },
    ]);

    const kept = (await audit()).slice(entries.length);
    expect(kept).toEqual([
      { id: readData(answer).id, at: new Date(now), action: 'visitor-erased', rows: { guests: 1 } },
    ]);
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${id}|ada@`));

    for (const again of [await admin('DELETE', id), await admin('GET', id)]) {
      expect([again.statusCode, readErrors(again)[0]?.code]).toEqual([404, 'visitor_unknown']);
    }
    expect(await audit()).toHaveLength(entries.length + 1);
    const read = await app.inject({ url: `/guests/${id}`, headers: { authorization: `Bearer ${token}` } });
    expect(read.statusCode).toBe(404);
    expect((await admin('GET', other.id)).statusCode).toBe(200);
  });

  test("requires the admin token; the guest's own token is rejected", async () => {
    const { id, token } = await newGuest('ada@example.com');
    const refused = [null, token, createToken(), `${adminToken}x`, adminToken.slice(0, -1)];
    for (const given of refused) {
      for (const answer of [await admin('GET', id, given), await admin('DELETE', id, given)]) {
        expect([answer.statusCode, readErrors(answer)[0]?.code]).toEqual([401, 'admin_token_invalid']);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
        expect(answer.body).not.toContain('ada@example.com');
      }
    }
    expect((await admin('GET', id)).statusCode).toBe(200);
  });

  test('is unavailable without a configured admin token', async () => {
    const closed = await createApp(gatewayDefaults, { database: shared.database, now: () => now });
    const { id } = await newGuest('ada@example.com');
    for (const authorization of ['', 'Bearer', 'Bearer null', `Bearer ${adminToken}`]) {
      const answer = await closed.inject({ url: `/admin/visitors/${id}`, headers: { authorization } });
      expect([answer.statusCode, readErrors(answer)[0]?.code]).toEqual([401, 'admin_token_invalid']);
    }
    await closed.close();
  });

  test('is not available for an invalid guest id', async () => {
    const answer = await admin('GET', 'someone');
    expect([answer.statusCode, readErrors(answer)[0]]).toEqual([
      404,
      expect.objectContaining({
        code: 'visitor_unknown',
        detail: expect.stringContaining('"someone"') as unknown,
      }),
    ]);
  });
});
