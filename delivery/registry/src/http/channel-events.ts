import type { FastifyReply } from 'fastify';
import { ChannelNameSchema, type ChannelName } from '@site/contract';
import * as v from 'valibot';
import { CHANNEL_CHANGED } from '../database/notices.ts';
import { channelState, type ToldState } from '../database/channel-state.repository.ts';
import { oneAtATime } from '../use-cases/one-at-a-time.ts';
import { createFollowers, type FollowersOptions, type Listener } from './followers.ts';

/** Tells everyone who follows a channel of its changes, as server-sent events. */
export interface ChannelEvents {
  /** Answers with the channel's state now and after every change: see `Followers`. */
  serve(channel: ChannelName, reply: FastifyReply, listener: Listener): Promise<void>;
  /** Ends all streams. */
  close(): Promise<void>;
}

/** @param options `onProblem` is told what could not be sent or checked; the edges poll as well. */
export async function createChannelEvents(options: FollowersOptions): Promise<ChannelEvents> {
  const { database, db, onProblem } = options;
  const followers = await createFollowers(options);
  // Two reads at once could end in the wrong order, and an older state would be told last.
  const readers = new Map(
    ChannelNameSchema.options.map((channel) => [channel, oneAtATime(() => channelState(db, channel))]),
  );
  const read = (channel: ChannelName) => (readers.get(channel) as () => Promise<ToldState>)();

  const stopListening = await database.listen(CHANNEL_CHANGED, (payload) => {
    if (!v.is(ChannelNameSchema, payload)) return;
    tell(payload).catch(onProblem);
  });

  async function tell(channel: ChannelName): Promise<void> {
    if (followers.has(channel)) followers.tell(channel, eventOf(await read(channel)));
  }

  return {
    serve: (channel, reply, listener) =>
      // Followed before the state is read: a change in between is told twice rather than not at all.
      followers.serve(channel, reply, listener, async () => eventOf(await read(channel))),

    async close() {
      await Promise.all([followers.close(), stopListening()]);
    },
  };
}

/** The event's id tells an edge whether it is older than what it heard by another way. */
function eventOf({ state, revision }: ToldState): string {
  return `id: ${revision}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`;
}
