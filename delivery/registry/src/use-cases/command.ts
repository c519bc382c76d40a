import type { Writing } from '../database/writing.ts';
import type { Actor } from '../access/actor.ts';
import type { RegistryContext } from './context.ts';

/** A change as its author sent it; a retry after a lost answer carries the same key. */
export interface Command<Context = RegistryContext> {
  context: Context;
  actor: Actor;
  /** The `Idempotency-Key` header, or null when the author sent none: then every request acts. */
  key: string | null;
  /** Digest of everything that was asked for. */
  requestDigest: string;
  /** Does all of it, says what came of it, and takes it back. Pages that were rendered stay. */
  dryRun: boolean;
  /** What its author notes of it, in its transaction and under its locks. What this throws undoes the change. */
  alongside?: (writing: Writing) => Promise<void>;
}

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
  /** Whether it was given before, and nothing was done now. */
  replayed: boolean;
}

/** An answer as it is kept for retries: with the salt of its one-time secret. Answers that a previous version kept have none. */
export type Salted<Body> = Body & { salt?: string | undefined };
