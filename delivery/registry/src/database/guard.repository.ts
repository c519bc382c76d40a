import { sql, type Selectable } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { Alert } from '../domain/alert.ts';
import type { Judged, JudgementState } from '../domain/judgement.ts';
import type { Policy } from '@site/guard/policy';
import type { Verdict } from '@site/guard/verdict';
import { queueAlert } from './alert.repository.ts';
import type { RegistryDb, RegistryTables, RegistryTransaction } from './tables.ts';
import type { Writing } from './writing.ts';

/** How the policy of all apps that have none of their own is stored: no app has this name. */
const EVERYTHING = '*';

export interface Judgement extends Judged {
  /** The release that the canary began with, or that made the version live. */
  subject: number;
  isCanary: boolean;
  format: number;
  limits: JudgementState['limits'];
  verdict: Verdict;
  since: Date;
}

export interface JudgementWithState extends Judgement {
  state: JudgementState;
}

const told = [
  'subject',
  'app',
  'version',
  'control',
  'verdict',
  'since',
  sql<boolean>`state -> 'comparison' ->> 'against' = 'live'`.as('isCanary'),
  sql<number>`(state ->> 'format')::integer`.as('format'),
  sql<JudgementState['limits']>`state -> 'limits'`.as('limits'),
] as const;

/** The versions of a channel that are looked at now. */
export function listJudgements(db: RegistryDb, channel: ChannelName): Promise<Judgement[]> {
  return db
    .selectFrom('judgements')
    .select(told)
    .where('channel', '=', channel)
    .where('ended_at', 'is', null)
    .orderBy('subject', 'desc')
    .orderBy('app')
    .execute();
}

/** The same with all that is known. A bad verdict stands: nothing is added to it. See `inTurn`. */
export function listUndecided(
  transaction: RegistryTransaction,
  channel: ChannelName,
): Promise<JudgementWithState[]> {
  return transaction
    .selectFrom('judgements')
    .select([...told, 'state'])
    .where('channel', '=', channel)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`verdict ->> 'is' <> 'bad'`)
    .orderBy('subject')
    .orderBy('app')
    .execute();
}

/** What a version's judgement is told by. */
type Key = Pick<Judgement, 'subject' | 'app'>;

/** Begins to look at a version; or afresh, when it is compared with another one now. See `inTurn`. */
export async function startJudgement(
  transaction: RegistryTransaction,
  channel: ChannelName,
  {
    subject,
    app,
    version,
    control,
    state,
    verdict,
    since,
  }: Omit<JudgementWithState, 'isCanary' | 'limits' | 'format'>,
): Promise<void> {
  const fresh = {
    version,
    control,
    state: JSON.stringify(state),
    verdict: JSON.stringify(verdict),
    since,
    ended_at: null,
  };
  await transaction
    .insertInto('judgements')
    .values({ channel, subject, app, ...fresh })
    .onConflict((conflict) => conflict.columns(['channel', 'subject', 'app']).doUpdateSet(fresh))
    .execute();
}

export async function updateJudgement(
  transaction: RegistryTransaction,
  channel: ChannelName,
  { subject, app, state, verdict, since }: JudgementWithState,
): Promise<void> {
  await transaction
    .updateTable('judgements')
    .set({ state: JSON.stringify(state), verdict: JSON.stringify(verdict), since })
    .where('channel', '=', channel)
    .where('subject', '=', subject)
    .where('app', '=', app)
    .execute();
}

export async function endJudgement(
  db: RegistryDb,
  channel: ChannelName,
  { subject, app }: Key,
  at: Date,
): Promise<void> {
  await db
    .updateTable('judgements')
    .set({ ended_at: at })
    .where('channel', '=', channel)
    .where('subject', '=', subject)
    .where('app', '=', app)
    .execute();
}

/** What the visitors of a version told by now shows nothing any more, on no channel: where it is still looked at, that begins afresh. */
export async function endJudgementsOf(
  { transaction, at }: Writing,
  { app, version }: Pick<Judgement, 'app' | 'version'>,
): Promise<void> {
  await transaction
    .updateTable('judgements')
    .set({ ended_at: at })
    .where('app', '=', app)
    .where('version', '=', version)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Whether a canary has shown another shell than this one since then. While it does, what goes wrong in an app that is the same counts for
 * the shell as well, in the views of both.
 */
export async function wasOtherShellTried(
  transaction: RegistryTransaction,
  channel: ChannelName,
  { version }: Pick<Judgement, 'version'>,
  since: Date,
): Promise<boolean> {
  const tried = await transaction
    .selectFrom('judgements')
    .select('subject')
    .where('channel', '=', channel)
    .where('app', '=', 'shell')
    .where('version', '<>', version)
    .where(sql<boolean>`state -> 'comparison' ->> 'against' = 'live'`)
    .where((either) => either.or([either('ended_at', 'is', null), either('ended_at', '>', since)]))
    .executeTakeFirst();
  return tried !== undefined;
}

/**
 * A newly live version of an app, the release that brought it, and what it may be compared with: the last good version, for what was
 * live just before may have been bad, too; and what was live just before, for the last good version may be old.
 */
export interface NewlyLive {
  app: string;
  version: string;
  lastGood: string | null;
  before: string | null;
  subject: number;
  since: Date;
}

/** The versions that have become live on a channel since then, without those that were put back. */
export async function newlyLive(db: RegistryDb, channel: ChannelName, since: Date): Promise<NewlyLive[]> {
  const { rows } = await sql<NewlyLive>`
    select live.app, live.version, made.last_good as "lastGood", before.version as before,
      releases.number as subject, releases.at as since
    from registry.channels
    join registry.release_apps as live on live.release = channels.stable
    join registry.live_versions as span
      on span.app = live.app and span.version = live.version and span.channel = channels.name
    join registry.releases on releases.number = span.since
    left join registry.release_apps as made on made.release = releases.number and made.app = live.app
    left join registry.release_apps as before on before.release = releases.parent and before.app = live.app
    where channels.name = ${channel} and releases.at > ${since} and releases.kind <> 'rollback'
    order by releases.number, live.app`.execute(db);
  return rows;
}

/** What may be done about an app, and who said so. `app` is null for what holds for all others. */
export interface SetPolicy {
  app: string | null;
  mode: Policy;
  reason: string;
  by: string;
  at: Date;
}

export async function listPolicies(db: RegistryDb, channel: ChannelName): Promise<SetPolicy[]> {
  const rows = await db
    .selectFrom('guard_policies')
    .select(['app', 'mode', 'reason', 'by', 'at'])
    .where('channel', '=', channel)
    .orderBy('app')
    .execute();
  return rows.map((row) => ({ ...row, app: row.app === EVERYTHING ? null : row.app }));
}

/** Null as the mode takes the policy out: the app is treated like all others. */
export async function setPolicy(
  { transaction, by, at }: Writing,
  channel: ChannelName,
  { app, mode, reason }: { app: string | null; mode: Policy | null; reason: string },
): Promise<void> {
  const key = { channel, app: app ?? EVERYTHING };
  if (mode === null) {
    await transaction
      .deleteFrom('guard_policies')
      .where('channel', '=', key.channel)
      .where('app', '=', key.app)
      .execute();
    return;
  }
  const set = { mode, reason, by, at };
  await transaction
    .insertInto('guard_policies')
    .values({ ...key, ...set })
    .onConflict((conflict) => conflict.columns(['channel', 'app']).doUpdateSet(set))
    .execute();
}

export type GuardAction = Omit<Selectable<RegistryTables['guard_actions']>, 'channel'>;

/**
 * Notes what is done, in its transaction, or suggested. What was acted on is not suggested any more.
 *
 * @returns false when it was noted before: then it was done, too.
 */
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

/** Notes what people are asked to do, and that they are told: once. @returns whether it is new. */
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

/** Why it could not be done; of several times the last. People are told the first time. @returns whether it is that. */
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
        .where('channel', '=', channel)
        .where('subject', '=', subject)
        .where('app', '=', app)
        .where('did', '=', did)
        .execute();
    return isNew;
  });
}

/** Newest first. */
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

/**
 * Whether the guard was the last to change an app: it acted, and nobody else has made a release since that changes the app. A
 * canary's release counts, for a person began it; but not one that ran already when the guard acted.
 */
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
