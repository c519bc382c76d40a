import type { Scope } from '@site/contract/registry-calls/scopes';

/** Who asks: the token that came with the request, or that a session of the console was begun with. */
export interface Actor {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  /** Whose token it is when a pipeline got it by exchange: all that rest on the same trusts have the same. See `accountOf`. */
  pipeline?: string;
  /** The session, when it is one. `hash` is that of its id. */
  session?: { hash: string; expiresAt: Date };
}

/**
 * What limits, turns and idempotency keys belong to: the token. A pipeline gets a new token for each command, and as many as it likes: all of
 * them count as one.
 */
export function accountOf({ tokenId, pipeline }: Pick<Actor, 'tokenId' | 'pipeline'>): string {
  return pipeline ?? tokenId;
}
