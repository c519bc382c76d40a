import type { EdgeGoal } from '@site/contract/edge-goals';
import type { Ask } from '../data/client.ts';

export interface ActionOutcome {
  changed: boolean;
  says: string;
  lines: readonly string[];
  goal: EdgeGoal | null;
  secret?: { label: string; value: string };
}

export interface Order {
  reason: string;
  dryRun: boolean;
  /** The live release that the user saw: the change fails if another one is live. */
  live: string | undefined;
  key?: string;
}

export interface AppVersion {
  app: string;
  version: string;
}

export interface ConsoleAction {
  title: string;
  confirm: string;
  reasons: readonly string[] | null;
  /** Required scopes; of an inner list, any one is enough. */
  needs: readonly (string | readonly string[])[];
  about?: readonly AppVersion[];
  run(ask: Ask, order: Order): Promise<ActionOutcome>;
}
