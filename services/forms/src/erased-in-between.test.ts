import { randomUUID } from 'node:crypto';
import { GUEST_ROLE } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { Kysely } from 'kysely';
import { createIdentitiesRepository } from './identities/identities.ts';
import { formsMigrations } from './migrations.ts';
import { createSubscriptionsRepository } from './submissions/subscriptions.repository.ts';
import type { FormsTables } from './kernel/tables.ts';
import { storedSubmission } from './testing/stored-submission.ts';

/** An existing row is stored again and erased before it is read back. */
describe('a row that is erased while it is stored again is stored as new:', () => {
  let shared: TestDatabase;
  let db: Kysely<FormsTables>;
  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
    db = shared.database.schema<FormsTables>('forms');
  });
  afterAll(() => shared.stop());

  /** The database; `erase` runs after the first insertion that found its row. */
  function erasing(erase: () => Promise<unknown>): Kysely<FormsTables> {
    let isInsertion = false;
    let isErased = false;
    return db.withPlugin({
      transformQuery({ node }) {
        isInsertion = node.kind === 'InsertQueryNode';
        return node;
      },
      async transformResult({ result }) {
        if (isInsertion && !isErased && result.rows.length === 0) {
          isErased = true;
          await erase();
        }
        return result;
      },
    });
  }

  test('an identity', async () => {
    const id = randomUUID();
    const registration = {
      unique_id: id,
      role_name: GUEST_ROLE.name,
      role_unique_id: GUEST_ROLE.unique_id,
    };
    await createIdentitiesRepository(db).register(registration, new Date(0));
    const erase = () => db.deleteFrom('identities').where('unique_id', '=', id).execute();
    const again = await createIdentitiesRepository(erasing(erase)).register(registration, new Date(1));
    expect(again).toMatchObject({ created: true, identity: { registered_at: new Date(1) } });
  });

  test('a submission', async () => {
    const row = (created_at: Date) => ({
      natural_key: null,
      confirmed_at: null,
      skipped: null,
      remove_at: null,
      marked_at: null,
      marked_by: null,
      ...storedSubmission({ source_id: 'source', form_fields: '{}', created_at }),
      handled: false,
      idempotency_key: 'a key of sixteen',
    });
    const related = { spend: null, emails: [], notice: null, countReferral: null };
    await createSubscriptionsRepository(db).store(row(new Date(0)), related);
    const erase = () => db.deleteFrom('subscriptions').execute();
    const again = await createSubscriptionsRepository(erasing(erase)).store(row(new Date(1)), related);
    expect(again).toMatchObject({ created: true, stored: { created_at: new Date(1) } });
  });
});
