import { sql } from 'kysely';
import type { RestoreAnswer } from '@site/contract';
import type { RegistryDb } from './tables.ts';

export async function countInForce(db: RegistryDb, at: Date): Promise<RestoreAnswer['inForce']> {
  const { rows } = await sql<RestoreAnswer['inForce']>`
    select
      (select count(*) from registry.tokens
        where revoked_at is null and (expires_at is null or expires_at > ${at})) as tokens,
      (select count(*) from registry.trusts) as trusts,
      (select count(*) from registry.previews where ended_at is null and expires_at > ${at}) as previews,
      (select count(*) from registry.freezes) as freezes,
      (select count(*) from registry.quarantines) as quarantines`.execute(db);
  return rows[0];
}
