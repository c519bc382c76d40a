import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryDb } from './tables.ts';

/** Notification "this channel has changed". Payload: the channel's name. */
export const CHANNEL_CHANGED = 'registry_channel_changed';

/** Notification "this token was revoked". Payload: the token's id. */
export const TOKEN_REVOKED = 'registry_token_revoked';

/** Notification "this console session has ended". Payload: the id of its token. */
export const SESSION_ENDED = 'registry_session_ended';

/** Notification "an edge of this channel serves something else". Payload: the channel's name. */
export const EDGE_MOVED = 'registry_edge_moved';

/** Notifications to every process of the registry. */
export interface Notice {
  name: typeof CHANNEL_CHANGED | typeof TOKEN_REVOKED | typeof SESSION_ENDED | typeof EDGE_MOVED;
  payload: string;
}

/** To the edges that follow a channel. */
export const channelChanged = (channel: ChannelName): Notice => ({ name: CHANNEL_CHANGED, payload: channel });

/** To open streams of a token. */
export const tokenRevoked = (id: string): Notice => ({ name: TOKEN_REVOKED, payload: id });

/** To open streams of a console session. */
export const sessionEnded = (tokenId: string): Notice => ({ name: SESSION_ENDED, payload: tokenId });

/** To clients that wait until every edge serves a change. */
export const edgeMoved = (channel: ChannelName): Notice => ({ name: EDGE_MOVED, payload: channel });

/** In a transaction, the database sends it at the commit and drops it on a rollback. */
export async function sendNotice(db: RegistryDb, { name, payload }: Notice): Promise<void> {
  await sql`select pg_notify(${name}, ${payload})`.execute(db);
}
