import { sql } from 'kysely';
import type { AuditAnswer } from '@site/contract';
import { chain, type AuditEntry } from './audit-chain.ts';
import type { RegistryDb, RegistryTransaction, Unconfirmed } from './tables.ts';
import type { ChangeContext } from './change-context.ts';

/** Every change appends an entry, so this lock serializes all changes: checks made after it hold at the commit. */
export async function lockAuditLog(transaction: RegistryTransaction) {
  return transaction
    .selectFrom('audit_head')
    .select(['sequence', 'hash', 'epoch', 'unconfirmed'])
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function auditHead(db: RegistryDb) {
  return db
    .selectFrom('audit_head')
    .select(['sequence', 'hash', 'epoch', 'unconfirmed'])
    .where('id', '=', 1)
    .executeTakeFirst();
}

export async function lastEntryAt(db: RegistryDb): Promise<Date | undefined> {
  return (await db.selectFrom('audit_events').select('at').orderBy('sequence', 'desc').executeTakeFirst())
    ?.at;
}

/** Guard, and for a copy alerts, stop until this is null. */
export async function findUnconfirmed(db: RegistryDb): Promise<Unconfirmed | null> {
  return (await auditHead(db))?.unconfirmed ?? null;
}

export async function noteUnconfirmed(transaction: RegistryTransaction, found: Unconfirmed): Promise<void> {
  await transaction
    .updateTable('audit_head')
    .set({ unconfirmed: JSON.stringify(found) })
    .where('id', '=', 1)
    .execute();
}

export async function startEpoch(transaction: RegistryTransaction, epoch: number): Promise<void> {
  await transaction.updateTable('audit_head').set({ epoch, unconfirmed: null }).where('id', '=', 1).execute();
}

export type AuditNote = Pick<AuditEntry, 'action' | 'subject' | 'details'>;

/** The log's author name for configured tokens. No token can have this name. */
export const CONFIGURATION = '(configuration)';

export const tokensConfigured = (
  tokens: readonly { id: string; name: string; scopes: readonly string[] }[],
): AuditNote => ({
  action: 'token.configured',
  subject: 'configuration',
  details: { tokens },
});

/**
 * Concurrent writers are serialized. The first entry lists the configured tokens, because they exist before any change.
 */
export async function appendAudit(writing: ChangeContext, note: AuditNote): Promise<void> {
  const { sequence } = await lockAuditLog(writing.transaction);
  if (sequence === 0) {
    const tokens = await writing.transaction
      .selectFrom('tokens')
      .select(['id', 'name', 'scopes'])
      .where('id', '<>', note.subject)
      .orderBy('name')
      .execute();
    if (tokens.length > 0) await append({ ...writing, by: CONFIGURATION }, tokensConfigured(tokens));
  }
  await append(writing, note);
}

async function append({ transaction, at, by }: ChangeContext, note: AuditNote): Promise<void> {
  const head = await lockAuditLog(transaction);
  const { sequence, action, subject, details, previousHash, hash } = chain(
    { ...note, by, at: at.toISOString(), sequence: head.sequence + 1 },
    head.hash,
  );
  await transaction
    .insertInto('audit_events')
    .values({
      sequence,
      at,
      by,
      action,
      subject,
      details: JSON.stringify(details),
      previous_hash: previousHash,
      hash,
    })
    .execute();
  await transaction.updateTable('audit_head').set({ sequence, hash }).where('id', '=', 1).execute();
}

export interface AuditWanted {
  limit: number;
  before: number;
  by?: string | undefined;
  action?: string | undefined;
  app?: string | undefined;
  since?: Date | undefined;
}

export async function listAuditEvents(
  db: RegistryDb,
  { limit, before, by, action, app, since }: AuditWanted,
): Promise<AuditAnswer['events']> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['sequence', 'at', 'by', 'action', 'subject', 'details', 'hash'])
    .where('sequence', '<', before)
    .$if(by !== undefined, (query) => query.where('by', '=', by ?? ''))
    .$if(action !== undefined, (query) => query.where(sql<boolean>`starts_with(action, ${action ?? ''})`))
    .$if(app !== undefined, (query) => query.where(isAbout(app ?? '')))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? new Date(0)))
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

function isAbout(app: string) {
  return sql<boolean>`(
    subject = ${app} or starts_with(subject, ${`${app}@`}) or details ->> 'app' = ${app}
    or details -> 'changes' @> ${JSON.stringify([{ app }])}::jsonb
  )`;
}

export interface AnchoredPlace {
  epoch: number;
  sequence: number;
}

export async function lastAnchored(db: RegistryDb): Promise<AnchoredPlace | undefined> {
  return db.selectFrom('audit_anchored').select(['epoch', 'sequence']).executeTakeFirst();
}

/** A lower position never replaces a higher one. */
export async function noteAnchored(db: RegistryDb, { epoch, sequence }: AnchoredPlace): Promise<void> {
  await sql`
    insert into registry.audit_anchored (id, epoch, sequence) values (1, ${epoch}, ${sequence})
    on conflict (id) do update set epoch = excluded.epoch, sequence = excluded.sequence
    where (audit_anchored.epoch, audit_anchored.sequence) < (excluded.epoch, excluded.sequence)`.execute(db);
}
