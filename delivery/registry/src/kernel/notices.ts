import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryDb } from './tables.ts';

/** Payload: the channel. */
export const CHANNEL_CHANGED = 'registry_channel_changed';

/** Payload: the token's id. */
export const TOKEN_REVOKED = 'registry_token_revoked';

/** Payload: the id of the session's token. */
export const SESSION_ENDED = 'registry_session_ended';

/** An edge serves something else. Payload: the channel. */
export const EDGE_MOVED = 'registry_edge_moved';

export interface Notice {
  name: typeof CHANNEL_CHANGED | typeof TOKEN_REVOKED | typeof SESSION_ENDED | typeof EDGE_MOVED;
  payload: string;
}

export const channelChanged = (channel: ChannelName): Notice => ({ name: CHANNEL_CHANGED, payload: channel });

export const tokenRevoked = (id: string): Notice => ({ name: TOKEN_REVOKED, payload: id });

export const sessionEnded = (tokenId: string): Notice => ({ name: SESSION_ENDED, payload: tokenId });

export const edgeMoved = (channel: ChannelName): Notice => ({ name: EDGE_MOVED, payload: channel });

/** In a transaction, the database sends it at the commit and drops it on a rollback. */
export async function sendNotice(db: RegistryDb, { name, payload }: Notice): Promise<void> {
  await sql`select pg_notify(${name}, ${payload})`.execute(db);
}
