import type { ChangeContext } from './change-context.ts';
import type { Actor } from './actor.ts';
import type { RegistryContext } from './context.ts';

/** A change as requested; a retry after a lost response has the same key. */
export interface Command<Context = RegistryContext> {
  context: Context;
  actor: Actor;
  /** The `Idempotency-Key` header; null makes every request a new change. */
  key: string | null;
  /** Digest of the request's effective parts. */
  requestDigest: string;
  /** Performs the change, reports its result, and rolls it back. Rendered pages stay. */
  dryRun: boolean;
  /** Runs in the change's transaction, under its locks. An error rolls the change back. */
  alongside?: (writing: ChangeContext) => Promise<void>;
}

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
  /** Whether this is a stored response and nothing was done now. */
  replayed: boolean;
}

/**
 * A response as stored for retries, with the salt of its one-time secret. Responses stored by a previous version have
 * none.
 */
export type Salted<Body> = Body & { salt?: string | undefined };
