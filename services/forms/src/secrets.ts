import { createSecret } from '@site/server/secrets';
import type { Kysely } from 'kysely';
import type { FormsTables } from './tables.ts';

/** Gives the secret of a name: made once, kept in the database, the same for all instances. */
export type SecretOf = (name: string) => Promise<string>;

export function createSecrets(db: Kysely<FormsTables>): SecretOf {
  const known = new Map<string, string>();
  return async (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    // Two instances that start together must end up with the same one.
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
