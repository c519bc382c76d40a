import type { Kysely, Selectable, Transaction } from 'kysely';
import { appendAudit } from './audit.repository.ts';
import type { RegistryTables } from './tables.ts';

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

export async function findPreview(db: Kysely<RegistryTables>, id: string): Promise<PreviewRow | undefined> {
  return db.selectFrom('previews').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The preview of a link, and what became of the API token that made it (`null`: it does not exist any more). */
export async function findPreviewByHash(db: Kysely<RegistryTables>, secretHash: string) {
  const preview = await db
    .selectFrom('previews')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  if (!preview) return null;
  const token = await db
    .selectFrom('tokens')
    .select(['name', 'revoked_at', 'expires_at'])
    .where('id', '=', preview.token_id)
    .executeTakeFirst();
  return { preview, token: token ?? null };
}

/** Gives a preview another link: the one before leads nowhere any more. */
export async function replaceLink(db: Kysely<RegistryTables>, id: string, secretHash: string): Promise<void> {
  await db.updateTable('previews').set({ secret_hash: secretHash }).where('id', '=', id).execute();
}

export interface PreviewEnd {
  by: string;
  at: Date;
  because: string;
}

/** @returns whether it had not ended before. */
export async function endOne(
  transaction: Transaction<RegistryTables>,
  id: string,
  end: PreviewEnd,
): Promise<boolean> {
  const ended = await transaction
    .updateTable('previews')
    .set({ ended_at: end.at, ended_because: end.because })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['id', 'app'])
    .executeTakeFirst();
  if (ended) await auditEnd(transaction, ended, end);
  return ended !== undefined;
}

/** What is found bad is shown to nobody any more, by no link. */
export async function endPreviewsOf(
  transaction: Transaction<RegistryTables>,
  { app, version }: { app: string; version: string },
  end: PreviewEnd,
): Promise<void> {
  const ended = await transaction
    .updateTable('previews')
    .set({ ended_at: end.at, ended_because: end.because })
    .where('app', '=', app)
    .where('version', '=', version)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', end.at)
    .returning(['id', 'app'])
    .execute();
  for (const preview of ended) await auditEnd(transaction, preview, end);
}

async function auditEnd(
  transaction: Transaction<RegistryTables>,
  { id, app }: { id: string; app: string },
  { by, at, because }: PreviewEnd,
): Promise<void> {
  const details = { app, reason: because };
  await appendAudit(transaction, { at, by, action: 'preview.ended', subject: id, details });
}
