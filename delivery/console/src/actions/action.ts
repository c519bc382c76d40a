import type { EdgeGoal } from '@site/contract/edge-goals';
import type { Ask } from '../data/client.ts';

/** The result of an action or of its dry run. */
export interface ActionOutcome {
  /** False if there was nothing to change. */
  changed: boolean;
  /** One line, such as "r14 is live on production". */
  says: string;
  lines: readonly string[];
  /** The state that every edge must reach; null if edges are not affected. */
  goal: EdgeGoal | null;
  /** Shown only once, such as a link or a token. */
  secret?: { label: string; value: string };
}

export interface Order {
  reason: string;
  dryRun: boolean;
  /** The live release that the user saw: the change fails if another one is live. */
  live: string | undefined;
  /** The idempotency key, for retries. */
  key?: string;
}

export interface AppVersion {
  app: string;
  version: string;
}

/** An action of the user; the dialog is generated from it. */
export interface ConsoleAction {
  /** Such as "Roll back mfe-blocks". */
  title: string;
  /** The label of the confirm button: names the effect, such as "Roll back 1.0.0-… for everyone". */
  confirm: string;
  /** Suggested reasons, most common first. Null if no reason is recorded. */
  reasons: readonly string[] | null;
  /** Required scopes; of an inner list, any one is enough. */
  needs: readonly (string | readonly string[])[];
  /** The affected versions: their pages and views are shown before confirming. */
  about?: readonly AppVersion[];
  /** @throws CallError */
  run(ask: Ask, order: Order): Promise<ActionOutcome>;
}
