import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ChannelName } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import type { Database } from '@site/server/open-database';
import { SESSION_ENDED, TOKEN_REVOKED } from '../kernel/notices.ts';
import { sessionsInForce } from './session.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { tokensInForce } from './token.repository.ts';
import { actorAccount, type Actor } from '../kernel/actor.ts';
import { oneAtATime } from '../kernel/scheduling.ts';
import { createEventStream, type EventStream } from '../kernel/event-stream.ts';

export type Listener = Pick<Actor, 'tokenId' | 'pipeline' | 'session'>;

export interface Followers {
  /**
   * @param first returns the first message. The follower is added before this is called, so that it misses nothing.
   * @throws ApiError `rate_limited`.
   */
  serve(
    channel: ChannelName,
    reply: FastifyReply,
    listener: Listener,
    first: () => Promise<string>,
  ): Promise<void>;
  has(channel: ChannelName): boolean;
  tell(channel: ChannelName, text: string): void;
  close(): Promise<void>;
}

/** Below the idle timeout of common proxies. */
const KEEP_ALIVE_MS = 15_000;
/** A revoked token is notified immediately; this interval covers lost notifications and expiry. */
const RECHECK_TOKENS_MS = 5_000;

/** Many edges may share a token; this is far more than needed. */
const STREAMS_OF_A_TOKEN = 500;

interface Follower extends EventStream, Listener {
  channel: ChannelName;
}

export interface FollowersOptions {
  database: Pick<Database, 'listen'>;
  db: RegistryDb;
  now(): Date;
  /** Receives failures to send or check; followers also poll. */
  onProblem(error: unknown): void;
  recheckTokensMs?: number;
  keepAliveMs?: number;
  /** Keep-alive text. Default: a comment, which clients do not see. */
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
    const account = actorAccount(listener);
    const open = [...followers].filter((follower) => actorAccount(follower) === account).length;
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
      // If the client disconnected during authentication, `close` was already emitted, and the follower would never be
      // removed.
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
        // The token may have been revoked between its check and the registration of this follower.
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
