import { createSecret } from '@site/server/secrets';
import type { Kysely } from 'kysely';
import type { FormsTables } from './tables.ts';

/** Returns a named secret: created once, stored in the database, shared by all instances. */
export type ReadSecret = (name: string) => Promise<string>;

export function createSecrets(db: Kysely<FormsTables>): ReadSecret {
  const known = new Map<string, string>();
  return async (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    // Concurrent instances must agree on one secret.
    await db
      .insertInto('secrets')
      .values({ name, value: createSecret() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { value } = await db
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    known.set(name, value);
    return value;
  };
}
