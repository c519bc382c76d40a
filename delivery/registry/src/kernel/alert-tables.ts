import type { ColumnType, Generated } from 'kysely';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { Alert, Trouble } from '../alerts/alert.ts';

type Json<T> = ColumnType<T, string, string>;

/** The tables of alerts. `docs/decisions/0034-guard-actions-and-alerts.md`. */
export interface AlertTables {
  alert_hooks: AlertHooksTable;
  alerts: AlertsTable;
  alert_troubles: AlertTroublesTable;
  alert_turn: AlertTurnTable;
  inbox_told: InboxToldTable;
}

/** Where alerts go. */
interface AlertHooksTable {
  id: string;
  /** May hold a secret: never shown. */
  url: string;
  format: AlertFormat;
  kinds: Json<AlertKind[]>;
  /** Not hashed: the registry signs with it. */
  secret: string;
  by: string;
  at: Date;
  /** How many alerts were dropped. */
  dropped: Generated<number>;
  /** How often the first of its alerts could not be delivered, and why the last time. */
  failures: Generated<number>;
  problem: string | null;
  /** When that is tried next. */
  next_at: Date;
}

/** What is still to be delivered: in the order of their numbers. */
interface AlertsTable {
  hook: string;
  sequence: Generated<number>;
  /** The same for all hooks and all attempts: receivers know repeats by it. */
  id: string;
  alert: Json<Alert>;
  at: Date;
}

/** What is wrong now, and has been reported. */
type AlertTroublesTable = Omit<Trouble, 'since'> & { since: Date };

/** Up to which submission of a form an alert was made, and when. */
interface InboxToldTable {
  form: string;
  newest_at: Date;
  told_at: Date;
}

/** One row: which registry watches and sends, and until when no other one does. */
interface AlertTurnTable {
  id: number;
  holder: string;
  until: Date;
}
