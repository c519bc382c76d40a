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
  /** The team of the apps in its scopes. See `queueOf`. */
  owner?: string;
  /** `hash`: of the session id. */
  session?: { hash: string; expiresAt: Date };
}

/** The key for idempotency keys and open connections. All tokens of a pipeline, one per command, share one account. */
export function accountOf({ tokenId, pipeline }: Pick<Actor, 'tokenId' | 'pipeline'>): string {
  return pipeline ?? tokenId;
}

/** The key for fair queueing and limits: a team has one, however many tokens it has. */
export function queueOf({ owner, ...actor }: Pick<Actor, 'tokenId' | 'pipeline' | 'owner'>): string {
  return owner === undefined ? accountOf(actor) : `team ${owner}`;
}
