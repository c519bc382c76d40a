import type { ColumnType } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import type { JudgementState } from '../signals/judgement.ts';
import type { SignalPlace, SignalSums } from '../signals/signal-sums.ts';
import type { Policy } from '@site/guard/policy';
import type { Verdict } from '@site/guard/verdict';

type Json<T> = ColumnType<T, string, string>;

/** The tables of what browsers told, and of the guard. `docs/decisions/0034-guard-actions-and-alerts.md`. */
export interface SignalTables {
  signal_key: SignalKeyTable;
  signal_sources: SignalSourcesTable;
  signal_minutes: SignalSumsTable;
  signal_hours: SignalSumsTable;
  /** Sums of five minutes of all routes together (kept for 2 days). */
  signal_pulses: SignalSumsTable;
  fault_groups: FaultGroupsTable;
  judgements: JudgementsTable;
  guard_policies: GuardPoliciesTable;
  guard_actions: GuardActionsTable;
  version_standings: VersionStandingsTable;
  canary_stages: CanaryStagesTable;
}

/** One row: what edges sign their tokens with. */
interface SignalKeyTable {
  id: number;
  key: string;
}

/** Which batch of each edge's process was counted last: the same one is not counted again. */
interface SignalSourcesTable {
  edge: string;
  boot: string;
  last_sequence: number;
  heard_at: Date;
}

/** The role of a place as it is stored. Former versions write `stable`, and rows are kept for 90 days. */
export const storedRoles = { canary: 'canary', live: 'stable' } as const satisfies Record<
  SignalPlace['role'],
  string
>;
type StoredRole = (typeof storedRoles)[SignalPlace['role']];

/** A row as it is stored. */
export type Stored<Row> = Omit<Row, 'role'> & { role: StoredRole };

/** A stored row, with the present name of its role. */
export function withRole<Row extends { role: StoredRole }>(
  row: Row,
): Omit<Row, 'role'> & Pick<SignalPlace, 'role'> {
  return { ...row, role: row.role === storedRoles.live ? 'live' : 'canary' };
}

/** Sums of a minute (kept for 2 days), and of an hour (90 days). */
interface SignalSumsTable extends Omit<SignalPlace, 'role'> {
  role: StoredRole;
  channel: ChannelName;
  /** When the minute, or the hour, began. */
  at: Date;
  sums: Json<SignalSums>;
}

/** Faults of a version that are the same, as one row. */
interface FaultGroupsTable {
  channel: ChannelName;
  app: string;
  version: string;
  fingerprint: string;
  fault: Json<Pick<FaultSum, 'kind' | 'message' | 'file' | 'line' | 'column'>>;
  /** The first few. */
  routes: Json<string[]>;
  count: number;
  /** Browser → how often in it. */
  browsers: Json<NonNullable<FaultSum['browsers']>>;
  first_at: Date;
  last_at: Date;
}

/** A version of an app that is looked at, while it is a canary's or newly live. */
interface JudgementsTable {
  channel: ChannelName;
  /** The release that the canary began with, or that made the version live. */
  subject: number;
  app: string;
  version: string;
  /** The version it is compared with: what the others see, or what was live before. */
  control: string | null;
  state: Json<JudgementState>;
  verdict: Json<Verdict>;
  /** Since when the verdict is what it is. */
  since: Date;
  /** When it was no longer looked at. */
  ended_at: Date | null;
}

/** What the guard may do by itself. */
interface GuardPoliciesTable {
  channel: ChannelName;
  /** `*` stands for all apps that have none of their own. */
  app: string;
  mode: Policy;
  reason: string;
  by: string;
  at: Date;
}

/** What the guard did, what it asked people to do, and what it was not allowed to do. */
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

/** Versions that enough visitors had without a bad verdict. */
interface VersionStandingsTable {
  channel: ChannelName;
  app: string;
  version: string;
  views: number;
  evidence: string;
  at: Date;
}

/** The canary of a channel that is shown to more visitors by itself. */
interface CanaryStagesTable {
  channel: ChannelName;
  /** The release that it began with. */
  canary: number;
  /** In percent, rising; 100 shows it to everyone. */
  shares: Json<number[]>;
  every_ms: number;
  /** The share that it has now, and since when. */
  basis_points: number;
  since: Date;
  /** What this share has brought: views, and the bits of their networks. */
  views: number;
  visitors: string;
  /** Why it waits or has stopped. */
  says: string;
}
