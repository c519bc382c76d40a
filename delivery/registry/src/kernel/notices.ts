import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryDb } from './tables.ts';

/** The notification that says "this channel has changed"; its payload is the channel's name. */
export const CHANNEL_CHANGED = 'registry_channel_changed';

/** The notification that says "this token was revoked"; its payload is the token's id. */
export const TOKEN_REVOKED = 'registry_token_revoked';

/** The notification that says "this session of the console is over"; its payload is the id of its token. */
export const SESSION_ENDED = 'registry_session_ended';

/** The notification that says "an edge of this channel serves something else now"; its payload is the channel's name. */
export const EDGE_MOVED = 'registry_edge_moved';

/** What every process of the registry is told. */
export interface Notice {
  name: typeof CHANNEL_CHANGED | typeof TOKEN_REVOKED | typeof SESSION_ENDED | typeof EDGE_MOVED;
  payload: string;
}

/** For the edges that follow a channel. */
export const channelChanged = (channel: ChannelName): Notice => ({ name: CHANNEL_CHANGED, payload: channel });

/** For whoever came with a token and listens still. */
export const tokenRevoked = (id: string): Notice => ({ name: TOKEN_REVOKED, payload: id });

/** For whoever follows something in a session that was signed out. */
export const sessionEnded = (tokenId: string): Notice => ({ name: SESSION_ENDED, payload: tokenId });

/** For whoever waits until every edge serves a change. */
export const edgeMoved = (channel: ChannelName): Notice => ({ name: EDGE_MOVED, payload: channel });

/** In a transaction it is sent by the database when that is committed, and not otherwise. */
export async function sendNotice(db: RegistryDb, { name, payload }: Notice): Promise<void> {
  await sql`select pg_notify(${name}, ${payload})`.execute(db);
}
