import { sql, type Selectable } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { Alert } from '../alerts/index.ts';
import { queueAlert } from '../kernel/queue-alert.ts';
import type { RegistryDb, RegistryTables } from '../kernel/tables.ts';

export type GuardAction = Omit<Selectable<RegistryTables['guard_actions']>, 'channel'>;

/** There is no suggestion after an action. @returns false if already recorded. */
export async function insertAction(
  db: RegistryDb,
  channel: ChannelName,
  { subject, app, version, did, why, evidence, at }: GuardAction,
): Promise<boolean> {
  const { rows } = await sql`
    insert into registry.guard_actions (channel, subject, app, version, did, why, evidence, at)
    select ${channel}, ${subject}::integer, ${app}, ${version}, ${did}, ${why}, ${evidence}, ${at}::timestamptz
    where not exists (
      select from registry.guard_actions
      where channel = ${channel} and subject = ${subject} and app = ${app} and did = 'acted'
    )
    on conflict do nothing returning app`.execute(db);
  return rows.length > 0;
}

/** @returns whether it is new; operators are notified once. */
export async function noteSuggestion(
  db: RegistryDb,
  channel: ChannelName,
  action: GuardAction,
  alert: Alert,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const isNew = await insertAction(transaction, channel, action);
    if (isNew) await queueAlert(transaction, alert, action.at);
    return isNew;
  });
}

/** Keeps the latest reason. @returns whether this is the first failure, which notifies operators. */
export async function noteRefusal(
  db: RegistryDb,
  channel: ChannelName,
  action: GuardAction,
  alert: Alert,
): Promise<boolean> {
  const { subject, app, did, why, evidence, at } = action;
  return db.transaction().execute(async (transaction) => {
    const isNew = await insertAction(transaction, channel, action);
    if (isNew) await queueAlert(transaction, alert, at);
    else
      await transaction
        .updateTable('guard_actions')
        .set({ why, evidence, at })
        .where(({ and }) => and({ channel, subject, app, did }))
        .execute();
    return isNew;
  });
}

export function listActions(
  db: RegistryDb,
  channel: ChannelName,
  { app, limit }: { app?: string | undefined; limit: number },
): Promise<GuardAction[]> {
  return db
    .selectFrom('guard_actions')
    .select(['subject', 'app', 'version', 'did', 'why', 'evidence', 'at'])
    .where('channel', '=', channel)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .orderBy('at', 'desc')
    .orderBy('subject', 'desc')
    .orderBy('app')
    .limit(limit)
    .execute();
}

/** A canary's release counts as a user's, unless the canary was already running when the guard acted. */
export async function guardWasLast(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  guard: string,
): Promise<boolean> {
  const { rows } = await sql<{ last: boolean }>`
    select exists (
      select from registry.guard_actions as acted
      where acted.channel = ${channel} and acted.app = ${app} and acted.did = 'acted' and not exists (
        select from registry.app_changes join registry.releases on releases.number = app_changes.release
        where app_changes.channel = ${channel} and app_changes.app = ${app}
          and releases.at > acted.at and releases.by <> ${guard}
      )
    ) as last`.execute(db);
  return rows[0]?.last === true;
}
