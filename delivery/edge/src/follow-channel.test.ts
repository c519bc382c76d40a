import type { ChannelState } from '@site/contract';
import { followChannel } from './follow-channel.ts';
import type { RegistryClient } from './registry-client.ts';
import { until } from './testing/until.ts';

const stateOf = (stable: string): ChannelState => ({
  channel: 'production',
  stable,
  candidate: null,
  revoked: [],
});
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('ignores an answer to a poll that was asked before a newer event', async () => {
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  let answer: (state: ChannelState) => void = () => undefined;
  const answered = new Promise<ChannelState>((resolve) => (answer = resolve));
  const registry = {
    channelState: () => answered,
    async *channelEvents() {
      yield stateOf('r2');
      answer(stateOf('r1'));
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
    },
  } satisfies Partial<RegistryClient>;
  const following = followChannel({
    registry: registry as unknown as RegistryClient,
    channel: 'production',
    pollMs: 60_000,
    onState: (state) => seen.push(state.stable),
    log: silent,
    signal: stop.signal,
  });
  await answered;
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await following;
  expect(seen).toEqual(['r2']);
});

test('goes on by polling while there are no events, and tells once that the registry was away', async () => {
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  const told: string[] = [];
  const answers = [stateOf('r1'), null, null, stateOf('r2')];
  const registry = {
    channelState() {
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new Error('away'));
    },
    async *channelEvents(_channel: string, signal: AbortSignal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* [];
    },
  } satisfies Partial<RegistryClient>;
  const following = followChannel({
    registry: registry as unknown as RegistryClient,
    channel: 'production',
    pollMs: 1,
    onState: (state) => seen.push(state.stable),
    log: {
      ...silent,
      warn: (_details, message) => told.push(message),
      info: (_d, message) => told.push(message),
    },
    signal: stop.signal,
  });
  await until(() => seen.length === 2);
  stop.abort();
  await following;
  expect(seen).toEqual(['r1', 'r2']);
  expect(told.slice(0, 2)).toEqual(['the registry is away; serving what is known', 'the registry is back']);
});
