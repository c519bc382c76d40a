import type { Kysely, Selectable } from 'kysely';
import type { RegistryTables } from '../database/tables.ts';

export type PreviewRow = Selectable<RegistryTables['previews']>;

/** Previews that are over are kept for this long, so that a late click is told so. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;

export async function insertPreview(db: Kysely<RegistryTables>, preview: PreviewRow): Promise<void> {
  await db
    .deleteFrom('previews')
    .where('expires_at', '<', new Date(preview.created_at.getTime() - FORGOTTEN_AFTER_MS))
    .execute();
  await db.insertInto('previews').values(preview).execute();
}

/** A preview, and what became of the API token that made it (`null`: it does not exist any more). */
export async function findPreview(db: Kysely<RegistryTables>, id: string) {
  const preview = await db.selectFrom('previews').selectAll().where('id', '=', id).executeTakeFirst();
  if (!preview) return null;
  const token = await db
    .selectFrom('tokens')
    .select(['name', 'revoked_at', 'expires_at'])
    .where('id', '=', preview.token_id)
    .executeTakeFirst();
  return { preview, token: token ?? null };
}

/** @returns whether it was not revoked before. */
export async function revokePreview(db: Kysely<RegistryTables>, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('previews')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}
