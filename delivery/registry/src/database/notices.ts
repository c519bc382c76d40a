import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryTransaction } from './tables.ts';

/** The notification that says "this channel has changed"; its payload is the channel's name. */
export const CHANNEL_CHANGED = 'registry_channel_changed';

/** The notification that says "this token was revoked"; its payload is the token's id. */
export const TOKEN_REVOKED = 'registry_token_revoked';

/** What every process of the registry hears of. */
export interface Notice {
  name: typeof CHANNEL_CHANGED | typeof TOKEN_REVOKED;
  payload: string;
}

/** For the edges that follow a channel. */
export const channelChanged = (channel: ChannelName): Notice => ({ name: CHANNEL_CHANGED, payload: channel });

/** For whoever came with a token and listens still. */
export const tokenRevoked = (id: string): Notice => ({ name: TOKEN_REVOKED, payload: id });

/** Sent by the database when the transaction is committed, and not otherwise. */
export async function sendNotice(transaction: RegistryTransaction, { name, payload }: Notice): Promise<void> {
  await sql`select pg_notify(${name}, ${payload})`.execute(transaction);
}
