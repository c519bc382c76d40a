import type { EdgeGoal } from '@site/contract/edge-goals';
import type { Ask } from '../data/client.ts';

export interface ActionOutcome {
  changed: boolean;
  says: string;
  lines: readonly string[];
  /** The state that every edge must reach; null if edges are not affected. */
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
  /** The label of the confirm button: names the effect, such as "Roll back 1.0.0-… for everyone". */
  confirm: string;
  /** Suggested reasons, most common first. Null if no reason is recorded. */
  reasons: readonly string[] | null;
  /** Required scopes; of an inner list, any one is enough. */
  needs: readonly (string | readonly string[])[];
  /** The affected versions: their pages and views are shown before confirming. */
  about?: readonly AppVersion[];
  run(ask: Ask, order: Order): Promise<ActionOutcome>;
}
