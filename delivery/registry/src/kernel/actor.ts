import type { Scope } from '@site/contract/registry-calls/scopes';

export interface Actor {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  pipeline?: string;
  /** The team of the apps in its scopes. See `actorQueue`. */
  owner?: string;
  session?: { hash: string; expiresAt: Date };
}

/** The key for idempotency keys and open connections. All tokens of a pipeline, one per command, share one account. */
export function actorAccount({ tokenId, pipeline }: Pick<Actor, 'tokenId' | 'pipeline'>): string {
  return pipeline ?? tokenId;
}

/** The key for fair queueing and limits: a team has one, however many tokens it has. */
export function actorQueue({ owner, ...actor }: Pick<Actor, 'tokenId' | 'pipeline' | 'owner'>): string {
  return owner === undefined ? actorAccount(actor) : `team ${owner}`;
}
