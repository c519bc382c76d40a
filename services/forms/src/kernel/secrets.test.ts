import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { formsMigrations } from '../migrations.ts';
import { createSecrets } from './secrets.ts';
import type { FormsTables } from './tables.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await startDatabase();
  await server.database.migrate('forms', formsMigrations);
});
afterAll(() => server.stop());

test('an instance reads each secret once, and all instances agree on it', async () => {
  const db = server.database.schema<FormsTables>('forms');
  const read = createSecrets(db);
  const [secret, other] = [await read('a'), await read('b')];
  expect(other).not.toBe(secret);
  expect(await createSecrets(db)('a')).toBe(secret);
  await db.updateTable('secrets').set({ value: 'changed' }).where('name', '=', 'a').execute();
  expect(await read('a')).toBe(secret);
  expect(await createSecrets(db)('a')).toBe('changed');
});
