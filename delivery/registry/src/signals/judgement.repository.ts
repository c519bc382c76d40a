import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { Verdict } from '@site/guard/verdict';
import type { Judged, JudgementState } from './judgement.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export interface Judgement extends Judged {
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

/**
 * A bad verdict is final, unless a shared service may be its cause: an outage must not hide problems of the version.
 */
export function listUndecided(
  transaction: RegistryTransaction,
  channel: ChannelName,
): Promise<JudgementWithState[]> {
  return transaction
    .selectFrom('judgements')
    .select([...told, 'state'])
    .where('channel', '=', channel)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(verdict ->> 'is' <> 'bad' or verdict ->> 'sharedService' = 'true')`)
    .orderBy('subject')
    .orderBy('app')
    .execute();
}

type Key = Pick<Judgement, 'subject' | 'app'>;

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
    .where(({ and }) => and({ channel, subject, app }))
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
    .where(({ and }) => and({ channel, subject, app }))
    .execute();
}

/** Invalidates a version's reports on all channels: where it is watched, the judgement restarts. */
export async function endJudgements(
  { transaction, at }: ChangeContext,
  { app, version }: Pick<Judgement, 'app' | 'version'>,
): Promise<void> {
  await transaction
    .updateTable('judgements')
    .set({ ended_at: at })
    .where(({ and }) => and({ app, version }))
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * While a canary uses another shell, faults of an unchanged app also count for the shell, in the views of both.
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
