import type { FastifyReply } from 'fastify';
import { type ChannelName, ChannelNameSchema } from '@site/contract';
import * as v from 'valibot';
import { CHANNEL_CHANGED } from '../kernel/notices.ts';
import { channelState, type SentState } from './channel-state.repository.ts';
import { oneAtATime } from '../kernel/scheduling.ts';
import { createFollowers, type FollowersOptions, type Listener } from '../access/index.ts';

export interface ChannelEvents {
  serve(channel: ChannelName, reply: FastifyReply, listener: Listener): Promise<void>;
  close(): Promise<void>;
}

export async function createChannelEvents(options: FollowersOptions): Promise<ChannelEvents> {
  const { database, db, onProblem } = options;
  const followers = await createFollowers(options);
  // Concurrent reads could finish in the wrong order, and an older state would be sent last.
  const readers = new Map(
    ChannelNameSchema.options.map((channel) => [channel, oneAtATime(() => channelState(db, channel))]),
  );
  const read = (channel: ChannelName) => (readers.get(channel) as () => Promise<SentState>)();

  const stopListening = await database.listen(CHANNEL_CHANGED, (payload) => {
    if (!v.is(ChannelNameSchema, payload)) return;
    tell(payload).catch(onProblem);
  });

  async function tell(channel: ChannelName): Promise<void> {
    if (followers.has(channel)) followers.tell(channel, formatEvent(await read(channel)));
  }

  return {
    serve: (channel, reply, listener) =>
      // Follow before reading the state: a change in between is sent twice rather than not at all.
      followers.serve(channel, reply, listener, async () => formatEvent(await read(channel))),

    async close() {
      await Promise.all([followers.close(), stopListening()]);
    },
  };
}

/** By the event's id, an edge detects a state older than one received otherwise. */
function formatEvent({ state, revision }: SentState): string {
  return `id: ${revision}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`;
}
