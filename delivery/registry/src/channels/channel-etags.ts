import type { FastifyReply } from 'fastify';
import { type ChannelName, ChannelNameSchema } from '@site/contract';
import * as v from 'valibot';
import { type EtagTexts, readEtags } from './etag.repository.ts';
import { CHANNEL_CHANGED, EDGE_MOVED } from '../kernel/notices.ts';
import { silentSince } from '../kernel/silent-since.ts';
import { oneAtATime } from '../kernel/scheduling.ts';
import { createFollowers, type FollowersOptions, type Listener } from '../access/index.ts';

/** Notifies clients that part of a channel has changed, so that they reload it. */
export interface ChannelEtags {
  serve(channel: ChannelName, reply: FastifyReply, listener: Listener): Promise<void>;
  close(): Promise<void>;
}

/** Interval of all notifications other than releases and edges, which are immediate. */
const LOOK_EVERY_MS = 1_000;
/** Signals arrive constantly; clients need them less often. */
const SIGNALS_EVERY_MS = 10_000;
const STILL_HERE_EVERY_MS = 10_000;

export interface ChannelEtagsOptions extends FollowersOptions {
  lookEveryMs?: number;
}

/**
 * All etags come from the database, so every registry process sends the same ones. It is queried only while there are
 * followers.
 */
export async function createChannelEtags(options: ChannelEtagsOptions): Promise<ChannelEtags> {
  const { database, db, now, onProblem, lookEveryMs = LOOK_EVERY_MS } = options;
  const followers = await createFollowers({
    keepAliveMs: STILL_HERE_EVERY_MS,
    // Not a comment: browser scripts cannot see comments, and could not distinguish a dead connection from a quiet one.
    stillHere: 'event: alive\ndata: {}\n\n',
    ...options,
  });
  const lookers = new Map(ChannelNameSchema.options.map((channel) => [channel, createLooker(channel)]));
  const channelPoller = (channel: ChannelName) => lookers.get(channel) as ReturnType<typeof createLooker>;

  function createLooker(channel: ChannelName) {
    let told = '';
    let signals: { text: string; at: number } | undefined;
    const read = oneAtATime(async () => {
      const marks = await readEtags(db, channel, silentSince(now()));
      const at = now().getTime();
      if (!signals || at - signals.at >= SIGNALS_EVERY_MS) signals = { text: marks.signals, at };
      return formatEvent({ ...marks, signals: signals.text });
    });
    async function look(): Promise<void> {
      if (!followers.has(channel)) return;
      const text = await read();
      if (text === told) return;
      told = text;
      followers.tell(channel, text);
    }
    return {
      look,
      /**
       * Sent to all other followers as well: otherwise they would miss a part that changes back to its previous state.
       */
      async first(): Promise<string> {
        await look();
        return told;
      },
    };
  }

  const stopListening = await Promise.all(
    [CHANNEL_CHANGED, EDGE_MOVED].map((name) =>
      database.listen(name, (payload) => {
        if (v.is(ChannelNameSchema, payload)) channelPoller(payload).look().catch(onProblem);
      }),
    ),
  );
  const timer = setInterval(() => {
    for (const { look } of lookers.values()) look().catch(onProblem);
  }, lookEveryMs);
  timer.unref();

  return {
    serve: (channel, reply, listener) =>
      followers.serve(channel, reply, listener, channelPoller(channel).first),

    async close() {
      clearInterval(timer);
      await Promise.all([followers.close(), ...stopListening.map((stop) => stop())]);
    },
  };
}

function formatEvent(marks: EtagTexts): string {
  return `event: marks\ndata: ${JSON.stringify(marks)}\n\n`;
}
