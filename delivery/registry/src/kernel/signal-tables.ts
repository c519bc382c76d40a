import type { ColumnType } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import type { JudgementState } from '../signals/judgement.ts';
import type { SignalPlace, SignalSums } from '../signals/signal-sums.ts';
import type { Policy } from '@site/guard/policy';
import type { Verdict } from '@site/guard/verdict';

type Json<T> = ColumnType<T, string, string>;
type Computed = ColumnType<number, never, never>;

/** The tables of browser reports and of the guard. `docs/decisions/0034-guard-actions-and-alerts.md`. */
export interface SignalTables {
  signal_key: SignalKeyTable;
  signal_sources: SignalSourcesTable;
  signal_minutes: SignalSumsTable;
  signal_hours: SignalHoursTable;
  /** Five-minute sums over all routes (kept for 2 days). */
  signal_pulses: SignalSumsTable;
  fault_groups: FaultGroupsTable;
  judgements: JudgementsTable;
  guard_policies: GuardPoliciesTable;
  guard_actions: GuardActionsTable;
  version_standings: VersionStandingsTable;
  canary_stages: CanaryStagesTable;
}

/** One row: the key that edges sign their tokens with. */
interface SignalKeyTable {
  id: number;
  key: string;
}

/** The last counted batch of each edge process, so that retries are not counted twice. */
interface SignalSourcesTable {
  edge: string;
  boot: string;
  last_sequence: number;
  received_at: Date;
}

/** Sums per minute (kept for 2 days) and per hour (90 days). */
interface SignalSumsTable extends SignalPlace {
  channel: ChannelName;
  at: Date;
  sums: Json<SignalSums>;
}

/** Counts that the database copies from the sums. */
interface SignalHoursTable extends SignalSumsTable {
  views: Computed;
  forms_sent: Computed;
  forms_failed: Computed;
  forms_refused: Computed;
}

/** Equal faults of a version, as one row. */
interface FaultGroupsTable {
  channel: ChannelName;
  app: string;
  version: string;
  fingerprint: string;
  fault: Json<Pick<FaultSum, 'kind' | 'message' | 'file' | 'line' | 'column'>>;
  /** Only the first few. */
  routes: Json<string[]>;
  count: number;
  /** Browser → count. */
  browsers: Json<FaultSum['browsers']>;
  first_at: Date;
  last_at: Date;
}

/** A watched version of an app, in a canary or newly live. */
interface JudgementsTable {
  channel: ChannelName;
  /** The canary's initial release, or the release that made the version live. */
  subject: number;
  app: string;
  version: string;
  /** The control: the live version, or the previously live one. */
  control: string | null;
  state: Json<JudgementState>;
  verdict: Json<Verdict>;
  /** Start of the current verdict. */
  since: Date;
  ended_at: Date | null;
}

interface GuardPoliciesTable {
  channel: ChannelName;
  /** `*` is the default policy. */
  app: string;
  mode: Policy;
  reason: string;
  by: string;
  at: Date;
}

interface GuardActionsTable {
  channel: ChannelName;
  subject: number;
  app: string;
  version: string;
  did: 'acted' | 'suggested' | 'refused';
  why: string;
  evidence: string;
  at: Date;
}

/** Versions with enough visitors and no bad verdict. */
interface VersionStandingsTable {
  channel: ChannelName;
  app: string;
  version: string;
  views: number;
  evidence: string;
  at: Date;
}

/** A channel's staged canary. */
interface CanaryStagesTable {
  channel: ChannelName;
  canary: number;
  /** In percent, ascending; 100 is everyone. */
  shares: Json<number[]>;
  every_ms: number;
  /** The current share, and its start. */
  basis_points: number;
  since: Date;
  /** The views at this share, and the bitmap of their networks. */
  views: number;
  visitors: string;
  /** Why it is paused or stopped. */
  says: string;
}
