import type { Selectable } from 'kysely';
import type { ChannelName } from '@site/contract';
import { appendAudit } from '../kernel/audit.repository.ts';
import type { RegistryDb, RegistryTables } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { DAY_MS } from '@site/server/durations';

export type PreviewRow = Selectable<RegistryTables['previews']>;

/** Retention of ended previews, so that a late click gets an explanation. */
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

export async function insertPreview(db: RegistryDb, preview: PreviewRow): Promise<void> {
  await db
    .deleteFrom('previews')
    .where('expires_at', '<', new Date(preview.created_at.getTime() - FORGOTTEN_AFTER_MS))
    .execute();
  await db.insertInto('previews').values(preview).execute();
}

/** Excludes previews of ended tokens: see `previewInForce`. */
export function listPreviews(
  db: RegistryDb,
  { app, limit }: { app: string | undefined; limit: number },
  at: Date,
): Promise<Omit<PreviewRow, 'secret_hash'>[]> {
  return db
    .selectFrom('previews')
    .innerJoin('tokens', 'tokens.id', 'previews.token_id')
    .select(['previews.id', 'channel', 'app', 'version', 'dev', 'by', 'token_id', 'previews.created_at'])
    .select(['previews.expires_at', 'ended_at', 'ended_because'])
    .where('ended_at', 'is', null)
    .where('previews.expires_at', '>', at)
    .where('tokens.revoked_at', 'is', null)
    .where((where) =>
      where.or([
        where('tokens.expires_at', 'is', null),
        where('tokens.expires_at', '>', at),
        where('tokens.trusts', 'is not', null),
      ]),
    )
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .orderBy('previews.created_at', 'desc')
    .orderBy('previews.id')
    .limit(limit)
    .execute();
}

export async function findPreview(db: RegistryDb, id: string): Promise<PreviewRow | undefined> {
  return db.selectFrom('previews').selectAll().where('id', '=', id).executeTakeFirst();
}

/** `token`: null if deleted. */
export async function findPreviewByHash(db: RegistryDb, secretHash: string) {
  const preview = await db
    .selectFrom('previews')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  if (!preview) return null;
  const token = await db
    .selectFrom('tokens')
    .select(['name', 'revoked_at', 'expires_at', 'scopes', 'trusts'])
    .where('id', '=', preview.token_id)
    .executeTakeFirst();
  return { preview, token: token ?? null };
}

export async function endOne(writing: ChangeContext, id: string, because: string): Promise<void> {
  const ended = await writing.transaction
    .updateTable('previews')
    .set({ ended_at: writing.at, ended_because: because })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['id', 'app'])
    .executeTakeFirst();
  if (ended) await auditEnd(writing, ended, because);
}

/** Of a version or, on a channel, of an app. */
export async function endPreviews(
  writing: ChangeContext,
  {
    app,
    version,
    channel,
  }: { app: string } & ({ version: string; channel?: never } | { channel: ChannelName; version?: never }),
  because: string,
): Promise<void> {
  const ended = await writing.transaction
    .updateTable('previews')
    .set({ ended_at: writing.at, ended_because: because })
    .where('app', '=', app)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? 'production'))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', writing.at)
    .returning(['id', 'app'])
    .execute();
  for (const preview of ended) await auditEnd(writing, preview, because);
}

async function auditEnd(
  writing: ChangeContext,
  { id, app }: { id: string; app: string },
  because: string,
): Promise<void> {
  await appendAudit(writing, { action: 'preview.ended', subject: id, details: { app, reason: because } });
}
