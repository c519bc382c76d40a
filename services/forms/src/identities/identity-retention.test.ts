import { randomUUID } from 'node:crypto';
import { GUEST_ROLE } from '@site/contract';
import { databases, START_WITHIN } from '@site/server/testing/each-database';
import type { TestDatabase } from '@site/server/testing/each-database';
import { watchedLog } from '@site/server/testing/interval-clock';
import { formsDefaults } from '../config.ts';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from '../tables.ts';
import { createIdentitiesRepository } from './identities.repository.ts';
import { startIdentityRetention } from './identity-retention.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('retention of identities on $name', ({ start }) => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await start();
    await shared.database.migrate('forms', formsMigrations);
  }, START_WITHIN);
  afterAll(() => shared.stop());

  test('removes an identity that no visit has registered again for 13 months, and no other', async () => {
    const db = shared.database.schema<FormsTables>('forms');
    const identities = createIdentitiesRepository(db);
    const begin = Date.parse('2026-03-01T12:00:00Z');
    const [gone, returning] = [randomUUID(), randomUUID()];
    const registerOn = (day: number, id: string) =>
      identities.register(
        { unique_id: id, role_name: GUEST_ROLE.name, role_unique_id: GUEST_ROLE.unique_id },
        new Date(begin + day * DAY),
      );
    await registerOn(0, gone);
    await registerOn(0, returning);
    await registerOn(10, returning);

    const left: number[] = [];
    for (const day of [391, 393, 403]) {
      await startIdentityRetention({
        db,
        retention: formsDefaults.identityRetention,
        log: watchedLog(),
        now: () => begin + day * DAY,
      })();
      left.push([await identities.find(gone), await identities.find(returning)].filter(Boolean).length);
    }
    expect(left).toEqual([2, 1, 0]);
  });
});
