import type { Scope } from '@site/contract/registry-calls/scopes';

export interface Actor {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  /**
   * Account of a token that a pipeline got by exchange, shared by all exchanges based on the same trusts. See
   * `accountOf`.
   */
  pipeline?: string;
  /** `hash`: of the session id. */
  session?: { hash: string; expiresAt: Date };
}

/**
 * The key for limits, fair queueing and idempotency keys. A pipeline can get any number of tokens, one per command, so
 * all of them share one account.
 */
export function accountOf({ tokenId, pipeline }: Pick<Actor, 'tokenId' | 'pipeline'>): string {
  return pipeline ?? tokenId;
}
