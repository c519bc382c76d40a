import type { EdgeGoal } from '@site/contract/edge-goals';
import type { Ask } from '../data/client.ts';

/** What an action did; in a dry run what it would do. */
export interface ActionOutcome {
  /** False when nothing had to change. */
  changed: boolean;
  /** In one line, such as "r14 is live on production". */
  says: string;
  lines: readonly string[];
  /** What every edge must have come to; null when edges have nothing to do. */
  goal: EdgeGoal | null;
  /** What is shown this once, such as a link or a token. */
  secret?: { label: string; value: string };
}

export interface Order {
  reason: string;
  dryRun: boolean;
  /** The release that was live when it was last looked at: an order goes on from it, or not at all. */
  live: string | undefined;
  /** The idempotency key: with the same one it is done once, however often it is asked for. */
  key?: string;
}

export interface AppVersion {
  app: string;
  version: string;
}

/** Something that a person can do. The dialog is made from it. */
export interface ConsoleAction {
  /** Such as "Roll back mfe-blocks". */
  title: string;
  /** On the button that does it: names what happens, such as "Take 1.0.0-… away from everyone". */
  confirm: string;
  /** Why people do this, most usual first: one press instead of typing. Null when no reason is kept. */
  reasons: readonly string[] | null;
  /** The scopes that it needs: all of these; of a list inside any one. */
  needs: readonly (string | readonly string[])[];
  /** The versions that it concerns: their pages and their views are shown before. */
  about?: readonly AppVersion[];
  /** @throws CallError */
  run(ask: Ask, order: Order): Promise<ActionOutcome>;
}
