import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ChannelName } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import type { Database } from '@site/server/open-database';
import { SESSION_ENDED, TOKEN_REVOKED } from '../database/notices.ts';
import { sessionsInForce } from '../database/session.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { tokensInForce } from '../database/token.repository.ts';
import { accountOf, type Actor } from '../access/actor.ts';
import { oneAtATime } from '../use-cases/one-at-a-time.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

/** Whose stream it is: it ends with the token, or with the session. */
export type Listener = Pick<Actor, 'tokenId' | 'pipeline' | 'session'>;

/** Everyone who follows a channel by server-sent events. */
export interface Followers {
  /**
   * Answers with events, until one of both sides ends it, or the token or session that it was asked for with is over.
   *
   * @param first makes the first message. A follower is added before it is asked for, so that they miss nothing after it.
   * @throws ApiError `rate_limited`.
   */
  serve(
    channel: ChannelName,
    reply: FastifyReply,
    listener: Listener,
    first: () => Promise<string>,
  ): Promise<void>;
  /** Whether somebody follows a channel. */
  has(channel: ChannelName): boolean;
  /** Tells all who follow a channel. */
  tell(channel: ChannelName, text: string): void;
  /** Ends all streams. */
  close(): Promise<void>;
}

/** Shorter than the idle time after which common proxies cut a connection. */
const KEEP_ALIVE_MS = 15_000;
/** A token ends at once by a notification, and by this when one was lost, or when it simply expires. */
const RECHECK_TOKENS_MS = 5_000;

/** Many edges may share a token; nobody needs this many. */
const STREAMS_OF_A_TOKEN = 500;

interface Follower extends EventStream, Listener {
  channel: ChannelName;
}

export interface FollowersOptions {
  database: Pick<Database, 'listen'>;
  db: RegistryDb;
  now(): Date;
  /** Is told what could not be sent or checked; followers ask as well. */
  onProblem(error: unknown): void;
  recheckTokensMs?: number;
  keepAliveMs?: number;
  /** What is sent in between. Default: a comment, which readers do not see. */
  stillHere?: string;
}

export async function createFollowers({
  database,
  db,
  now,
  onProblem,
  recheckTokensMs = RECHECK_TOKENS_MS,
  keepAliveMs = KEEP_ALIVE_MS,
  stillHere = ': still here\n\n',
}: FollowersOptions): Promise<Followers> {
  const followers = new Set<Follower>();
  const keepAlive = setInterval(() => {
    for (const follower of followers) follower.keepAlive(stillHere);
  }, keepAliveMs);
  keepAlive.unref();

  const endWithTokens = oneAtATime(async () => {
    if (followers.size === 0) return;
    const following = [...followers];
    const at = now();
    const tokens = await tokensInForce(db, [...new Set(following.map(({ tokenId }) => tokenId))], at);
    const sessions = await sessionsInForce(
      db,
      following.flatMap(({ session }) => session?.hash ?? []),
      at,
    );
    for (const follower of following) {
      const { tokenId, session } = follower;
      if (session ? sessions.has(session.hash) : tokens.has(tokenId)) continue;
      followers.delete(follower);
      follower.cut();
    }
  });
  const stopListening = await Promise.all(
    [TOKEN_REVOKED, SESSION_ENDED].map((name) =>
      database.listen(name, () => {
        endWithTokens().catch(onProblem);
      }),
    ),
  );
  const recheck = setInterval(() => void endWithTokens().catch(onProblem), recheckTokensMs);
  recheck.unref();

  function refuseTooMany(listener: Listener): void {
    const account = accountOf(listener);
    const open = [...followers].filter((follower) => accountOf(follower) === account).length;
    if (open < STREAMS_OF_A_TOKEN) return;
    throw baseErrors.rate_limited(`This token has ${open} event streams open, and may have no more.`, {
      headers: { 'retry-after': '60' },
    });
  }

  return {
    async serve(channel, reply, listener, first) {
      const raw = reply.raw;
      const { tokenId, pipeline, session } = listener;
      const hasLeft = () => raw.destroyed;
      // If they left while the registry still looked at their token, `close` has been emitted: nothing would ever remove them.
      if (hasLeft()) {
        reply.hijack();
        return;
      }
      refuseTooMany(listener);
      const follower: Follower = {
        channel,
        tokenId,
        ...(pipeline === undefined ? {} : { pipeline }),
        ...(session ? { session } : {}),
        ...createEventStream(raw),
      };
      followers.add(follower);
      raw.on('close', () => followers.delete(follower));
      try {
        const text = await first();
        // It may have been revoked after it was looked at, and before anybody knew of this follower.
        await endWithTokens();
        reply.hijack();
        if (hasLeft()) return;
        follower.open(
          {
            ...(reply.getHeaders() as OutgoingHttpHeaders),
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
          },
          `retry: 1000\n${text}`,
        );
      } catch (error) {
        followers.delete(follower);
        throw error;
      }
    },

    has: (channel) => [...followers].some((follower) => follower.channel === channel),

    tell(channel, text) {
      for (const follower of followers) if (follower.channel === channel) follower.send(text);
    },

    async close() {
      clearInterval(keepAlive);
      clearInterval(recheck);
      for (const follower of followers) follower.end();
      followers.clear();
      await Promise.all(stopListening.map((stop) => stop()));
    },
  };
}
