import type { ColumnType, Generated } from 'kysely';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { Alert, Trouble } from '../alerts/alert.ts';

type Json<T> = ColumnType<T, string, string>;

/** The tables of alerts. `docs/decisions/0034-guard-actions-and-alerts.md`. */
export interface AlertTables {
  alert_hooks: AlertHooksTable;
  alerts: AlertsTable;
  alert_troubles: AlertTroublesTable;
  alert_lease: AlertLeaseTable;
  inbox_alerts: InboxAlertsTable;
}

interface AlertHooksTable {
  id: string;
  /** May contain a secret: never returned. */
  url: string;
  format: AlertFormat;
  kinds: Json<AlertKind[]>;
  /** Stored in plain text, because the registry signs with it. */
  secret: string;
  by: string;
  at: Date;
  dropped: Generated<number>;
  /** Number of failed attempts for the first pending alert, and the last error. */
  failures: Generated<number>;
  problem: string | null;
  next_at: Date;
}

interface AlertsTable {
  hook: string;
  sequence: Generated<number>;
  /** The same for all hooks and attempts, so that receivers can detect duplicates. */
  id: string;
  alert: Json<Alert>;
  at: Date;
}

type AlertTroublesTable = Omit<Trouble, 'since'> & { since: Date };

/** The last submission of each form that an alert covered, and its time. */
interface InboxAlertsTable {
  form: string;
  newest_at: Date;
  alerted_at: Date;
}

/** One row: the lease of the registry that monitors and sends alerts. */
interface AlertLeaseTable {
  id: number;
  holder: string;
  until: Date;
}
