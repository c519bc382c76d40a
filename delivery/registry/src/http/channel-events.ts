import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ChannelNameSchema, ChannelStateSchema, type ChannelName } from '@site/contract';
import { withFormerNames } from '@site/contract/renamed';
import * as v from 'valibot';
import { baseErrors } from '@site/server/base-errors';
import type { Database } from '@site/server/open-database';
import { channelState, type ToldState } from '../database/release.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { tokensInForce } from '../database/token.repository.ts';
import { CHANNEL_CHANGED, TOKEN_REVOKED } from '../database/notices.ts';
import { oneAtATime } from '../use-cases/one-at-a-time.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

/** Tells everyone who follows a channel of its changes, as server-sent events. */
export interface ChannelEvents {
  /**
   * Answers with the channel's state now and after every change, until one of both sides ends it, or the token that it was
   * asked for with is revoked or expires.
   */
  serve(channel: ChannelName, reply: FastifyReply, tokenId: string): Promise<void>;
  /** Ends all streams. */
  close(): Promise<void>;
}

/** Shorter than the idle time after which common proxies cut a connection. */
const KEEP_ALIVE_MS = 15_000;
/** A token ends at once by a notification, and by this when one was lost, or when it simply expires. */
const RECHECK_TOKENS_MS = 5_000;

/** Many edges may share a token; nobody needs this many. */
const STREAMS_OF_A_TOKEN = 500;

interface Follower extends EventStream {
  channel: ChannelName;
  tokenId: string;
}

export interface ChannelEventsOptions {
  database: Pick<Database, 'listen'>;
  db: RegistryDb;
  now(): Date;
  /** Hears of what could not be told or checked; the edges poll as well. */
  onProblem(error: unknown): void;
  recheckTokensMs?: number;
  keepAliveMs?: number;
}

export async function createChannelEvents({
  database,
  db,
  now,
  onProblem,
  recheckTokensMs = RECHECK_TOKENS_MS,
  keepAliveMs = KEEP_ALIVE_MS,
}: ChannelEventsOptions): Promise<ChannelEvents> {
  const followers = new Set<Follower>();
  // Two reads at once could end in the wrong order, and an older state would be told last.
  const readers = new Map(
    ChannelNameSchema.options.map((channel) => [channel, oneAtATime(() => channelState(db, channel))]),
  );
  const read = (channel: ChannelName) => (readers.get(channel) as () => Promise<ToldState>)();

  const stopListening = await database.listen(CHANNEL_CHANGED, (payload) => {
    if (!v.is(ChannelNameSchema, payload)) return;
    tell(payload).catch(onProblem);
  });
  const keepAlive = setInterval(() => {
    for (const follower of followers) follower.keepAlive();
  }, keepAliveMs);
  keepAlive.unref();

  const endWithTokens = oneAtATime(async () => {
    if (followers.size === 0) return;
    const following = [...followers];
    const inForce = await tokensInForce(db, [...new Set(following.map(({ tokenId }) => tokenId))], now());
    for (const follower of following) {
      if (inForce.has(follower.tokenId)) continue;
      followers.delete(follower);
      follower.cut();
    }
  });
  const stopListeningToTokens = await database.listen(TOKEN_REVOKED, () => {
    endWithTokens().catch(onProblem);
  });
  const recheck = setInterval(() => void endWithTokens().catch(onProblem), recheckTokensMs);
  recheck.unref();

  async function tell(channel: ChannelName): Promise<void> {
    const listening = [...followers].filter((follower) => follower.channel === channel);
    if (listening.length === 0) return;
    const text = eventOf(await read(channel));
    for (const follower of listening) follower.send(text);
  }

  function refuseTooMany(tokenId: string): void {
    const open = [...followers].filter((follower) => follower.tokenId === tokenId).length;
    if (open < STREAMS_OF_A_TOKEN) return;
    throw baseErrors.rate_limited(`This token has ${open} event streams open, and may have no more.`, {
      headers: { 'retry-after': '60' },
    });
  }

  return {
    async serve(channel, reply, tokenId) {
      // Followed before the state is read: a change in between is told twice rather than not at all.
      const raw = reply.raw;
      refuseTooMany(tokenId);
      const follower: Follower = { channel, tokenId, ...createEventStream(raw) };
      followers.add(follower);
      raw.on('close', () => followers.delete(follower));
      try {
        const state = await read(channel);
        // It may have been revoked after it was looked at, and before anybody knew of this follower.
        await endWithTokens();
        reply.hijack();
        if (raw.destroyed) return;
        follower.open(
          {
            ...(reply.getHeaders() as OutgoingHttpHeaders),
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
          },
          `retry: 1000\n${eventOf(state)}`,
        );
      } catch (error) {
        followers.delete(follower);
        throw error;
      }
    },

    async close() {
      clearInterval(keepAlive);
      clearInterval(recheck);
      for (const follower of followers) follower.end();
      followers.clear();
      await Promise.all([stopListening(), stopListeningToTokens()]);
    },
  };
}

/** The event's id tells an edge whether it is older than what it heard by another way. */
function eventOf({ state, revision }: ToldState): string {
  return `id: ${revision}\nevent: state\ndata: ${JSON.stringify(withFormerNames(ChannelStateSchema, state, 'both'))}\n\n`;
}
