import { sql, type Selectable } from 'kysely';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { RegistryDb, RegistryTables, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export type AlertHook = Omit<Selectable<RegistryTables['alert_hooks']>, 'next_at'> & {
  nextAt: Date;
  waiting: number;
};

const hookColumns = [
  'id',
  'url',
  'format',
  'kinds',
  'secret',
  'by',
  'at',
  'dropped',
  'failures',
  'problem',
  'next_at as nextAt',
  sql<number>`(select count(*) from registry.alerts where hook = alert_hooks.id)::integer`.as('waiting'),
] as const;

export function listHooks(db: RegistryDb): Promise<AlertHook[]> {
  return db.selectFrom('alert_hooks').select(hookColumns).orderBy('at').orderBy('id').execute();
}

export async function findHook(db: RegistryDb, id: string): Promise<AlertHook | undefined> {
  return db.selectFrom('alert_hooks').select(hookColumns).where('id', '=', id).executeTakeFirst();
}

export interface HookCounts {
  all: number;
  failing: number;
  /** Null if none fails. */
  since: Date | null;
}

export async function countHooks(db: RegistryDb): Promise<HookCounts> {
  const { rows } = await sql<HookCounts>`
    select count(*)::integer as "all", count(*) filter (where failures > 0)::integer as failing,
      -- What waited too long was given up; then the last attempt was about "next_at".
      min(coalesce((select min(at) from registry.alerts where hook = alert_hooks.id), next_at))
        filter (where failures > 0) as since
    from registry.alert_hooks`.execute(db);
  return rows[0] as HookCounts;
}

export async function insertHook(
  { transaction, by, at }: ChangeContext,
  hook: { id: string; url: string; format: AlertFormat; kinds: AlertKind[]; secret: string },
): Promise<void> {
  await transaction
    .insertInto('alert_hooks')
    .values({ ...hook, kinds: JSON.stringify(hook.kinds), by, at, next_at: at, problem: null })
    .execute();
}

export async function deleteHook(transaction: RegistryTransaction, id: string): Promise<void> {
  await transaction.deleteFrom('alert_hooks').where('id', '=', id).execute();
}

export async function hasSubscriber(db: RegistryDb, kind: AlertKind): Promise<boolean> {
  const { rows } = await sql`
    select id from registry.alert_hooks where kinds @> ${JSON.stringify([kind])}::jsonb limit 1`.execute(db);
  return rows.length > 0;
}
