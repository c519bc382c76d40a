import type { ChangeContext } from './change-context.ts';
import type { Actor } from './actor.ts';
import type { RegistryContext } from './context.ts';

export interface Command<Context = RegistryContext> {
  context: Context;
  actor: Actor;
  key: string | null;
  requestDigest: string;
  /** Makes the change, returns its result and rolls it back. Rendered pages stay. */
  dryRun: boolean;
  /** Runs in the change's transaction, under its locks. An error rolls the change back. */
  alongside?: (writing: ChangeContext) => Promise<void>;
}

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
  replayed: boolean;
}

/** A stored response, with the salt of its one-time secret. */
export type Salted<Body> = Body & { salt?: string | undefined };
