import type { ChannelState, LogPosition } from '@site/contract';
import { followChannel } from './follow-channel.ts';
import { RegistryError, type EdgeClient, type ChannelUpdate } from './registry-client.ts';
import { waitFor } from '@site/server/testing/wait-for';

const makeState = (live: string, revision = Number(live.slice(1))): ChannelUpdate => ({
  state: { channel: 'production', live, canaries: [], revoked: [] },
  revision,
});
/** An edge that has followed nothing yet. */
const unknown = { position: () => null, knownDigest: () => undefined };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('ignores a poll response that was requested before a newer event', async () => {
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  let answer: (told: ChannelUpdate) => void = () => undefined;
  const answered = new Promise<ChannelUpdate>((resolve) => (answer = resolve));
  const registry = {
    channelState: () => answered,
    async *channelEvents() {
      yield makeState('r2');
      answer(makeState('r1'));
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
    },
  } satisfies Partial<EdgeClient>;
  const following = followChannel({
    registry: registry as unknown as EdgeClient,
    channel: 'production',
    isServing: () => true,
    ...unknown,
    pollMs: 60_000,
    onState: (state) => seen.push(state.live),
    log: silent,
    signal: stop.signal,
  });
  await answered;
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await following.ended;
  expect(seen).toEqual(['r2']);
});

test("keeps polling while events are down, and logs the registry's outage once", async () => {
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  const told: string[] = [];
  const answers = [makeState('r1'), null, null, makeState('r2')];
  const registry = {
    channelState() {
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new Error('away'));
    },
    async *channelEvents(_channel: string, signal: AbortSignal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* [];
    },
  } satisfies Partial<EdgeClient>;
  const following = followChannel({
    registry: registry as unknown as EdgeClient,
    channel: 'production',
    isServing: () => true,
    ...unknown,
    pollMs: 1,
    onState: (state) => seen.push(state.live),
    log: {
      ...silent,
      warn: (_details, message) => told.push(message),
      info: (_d, message) => told.push(message),
    },
    signal: stop.signal,
  });
  await waitFor(() => expect(seen).toHaveLength(2));
  stop.abort();
  await following.ended;
  expect(seen).toEqual(['r1', 'r2']);
  expect(told.slice(0, 2)).toEqual([
    'the registry does not answer; still serving the last known release',
    'the registry is back',
  ]);
});

test.each([
  [
    'is away',
    new RegistryError('away'),
    true,
    'the registry does not answer; still serving the last known release',
  ],
  [
    'is away',
    new RegistryError('away'),
    false,
    'the registry does not answer; there is no release to serve yet',
  ],
  [
    'does not know its token',
    new RegistryError('no', { status: 401 }),
    false,
    'the registry refuses what this edge asks; there is no release to serve yet',
  ],
])(
  'logs the cause when the registry %s (%s, with a release: %s)',
  async (_what, error, isServing, message) => {
    const stop = new AbortController();
    const told: string[] = [];
    const registry = {
      channelState: () => Promise.reject(error),
      // oxlint-disable-next-line require-yield -- as a connection that fails at once
      async *channelEvents() {
        await Promise.resolve();
        throw error;
      },
    } satisfies Partial<EdgeClient>;
    const following = followChannel({
      registry: registry as unknown as EdgeClient,
      channel: 'production',
      isServing: () => isServing,
      ...unknown,
      pollMs: 1,
      onState: () => undefined,
      log: { ...silent, warn: (_details, text) => told.push(text) },
      signal: stop.signal,
    });
    await waitFor(() => expect(told).not.toHaveLength(0));
    stop.abort();
    await following.ended;
    expect(told).toEqual([message]);
  },
);

/** Follows a scripted registry. */
function followScripted() {
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  const polls: ((told: ChannelUpdate) => void)[] = [];
  const connections: { tell(told: ChannelUpdate): void; cut(): void }[] = [];
  const registry = {
    channelState: (_channel: string, signal: AbortSignal) =>
      new Promise<ChannelUpdate>((resolve, reject) => {
        polls.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('over')));
      }),
    async *channelEvents(_channel: string, signal: AbortSignal) {
      const told: (ChannelUpdate | null)[] = [];
      let wake: () => void = () => undefined;
      const say = (what: ChannelUpdate | null) => {
        told.push(what);
        wake();
      };
      connections.push({ tell: say, cut: () => say(null) });
      signal.addEventListener('abort', () => say(null));
      for (;;) {
        const next = told.shift();
        if (next === null) return;
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  } satisfies Partial<EdgeClient>;
  const follower = followChannel({
    registry: registry as unknown as EdgeClient,
    channel: 'production',
    isServing: () => true,
    ...unknown,
    pollMs: 1,
    onState: ({ live }) => seen.push(live),
    log: silent,
    signal: stop.signal,
  });
  return {
    seen,
    async answer(told: ChannelUpdate) {
      await waitFor(() => expect(polls).not.toHaveLength(0));
      polls.shift()?.(told);
    },
    polled: () => waitFor(() => expect(polls).not.toHaveLength(0)),
    async connection(index = 0) {
      await waitFor(() => expect(connections.length).toBeGreaterThan(index));
      const { tell, cut } = connections[index] as (typeof connections)[number];
      return { tell, cut };
    },
    ask: () => follower.ask(stop.signal),
    saw: (count: number) => waitFor(() => expect(seen).toHaveLength(count)),
    async stop() {
      stop.abort();
      await follower.ended;
    },
  };
}

test('an event that arrives after a newer poll response does not move the edge back', async () => {
  const { seen, saw, answer, polled, connection, stop } = followScripted();
  const { tell } = await connection();
  tell(makeState('r1', 1));
  await saw(1);
  await answer(makeState('r1', 1));
  await answer(makeState('r3', 3));
  await waitFor(() => expect(seen.at(-1)).toBe('r3'));
  tell(makeState('r2', 2));
  tell(makeState('r4', 4));
  await waitFor(() => expect(seen.at(-1)).toBe('r4'));
  expect(seen).not.toContain('r2');
  await polled();
  await stop();
});

test('the first event of a connection does not move the edge back if a poll was answered in the meantime', async () => {
  const { seen, answer, connection, stop } = followScripted();
  const { tell } = await connection();
  await answer(makeState('r2', 2));
  await waitFor(() => expect(seen.at(-1)).toBe('r2'));
  tell(makeState('r1', 1));
  tell(makeState('r3', 3));
  await waitFor(() => expect(seen.at(-1)).toBe('r3'));
  expect(seen).toEqual(['r2', 'r3']);
  await stop();
});

test('a poll response newer than an event received in between is applied', async () => {
  const { seen, saw, answer, polled, connection, stop } = followScripted();
  const { tell } = await connection();
  await polled();
  tell(makeState('r1', 1));
  await saw(1);
  await answer(makeState('r2', 2));
  await saw(2);
  expect(seen).toEqual(['r1', 'r2']);
  await stop();
});

test('of two concurrent polls, the newer response wins in any order', async () => {
  const { seen, answer, polled, ask, saw, stop } = followScripted();
  await polled();
  const asked = ask();
  // The first poll gets the newer response.
  await answer(makeState('r2', 2));
  await saw(1);
  await answer(makeState('r1', 1));
  expect((await asked).live).toBe('r1');
  expect(seen).toEqual(['r2']);
  await stop();
});

test('a restored registry with a lower revision is followed at the next poll', async () => {
  const { seen, saw, answer, connection, stop } = followScripted();
  const { tell } = await connection();
  tell(makeState('r9', 90));
  await saw(1);
  // Requested before that event.
  await answer(makeState('r9', 90));
  await answer(makeState('r100', 50));
  await waitFor(() => expect(seen.at(-1)).toBe('r100'));
  tell(makeState('r101', 51));
  await waitFor(() => expect(seen.at(-1)).toBe('r101'));
  await stop();
});

test('a restored registry is followed by its events immediately', async () => {
  const { seen, saw, connection, stop } = followScripted();
  const first = await connection();
  first.tell(makeState('r9', 90));
  await saw(1);
  first.cut();
  const second = await connection(1);
  second.tell(makeState('r100', 50));
  await waitFor(() => expect(seen.at(-1)).toBe('r100'));
  await stop();
});

describe('a registry that lost entries of its log', () => {
  const hash = (digit: string) => digit.repeat(64);
  const digest = hash('d');
  const seen = { epoch: 1, sequence: 10, hash: hash('a') };
  const sent = (log: LogPosition, more: Partial<ChannelState> = {}): ChannelUpdate => {
    const { state } = makeState('r5');
    return { state: { ...state, log, ...more }, revision: log.sequence };
  };

  /** @returns whether an edge that follows `seen` and serves an r5 applies the polled state, and what it logs. */
  async function poll(update: ChannelUpdate) {
    const stop = new AbortController();
    const problems: unknown[] = [];
    const states: ChannelState[] = [];
    let polls = 0;
    const registry = {
      channelState() {
        polls += 1;
        return Promise.resolve(update);
      },
      async *channelEvents(_channel: string, signal: AbortSignal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* [];
      },
    } satisfies Partial<EdgeClient>;
    const following = followChannel({
      registry: registry as unknown as EdgeClient,
      channel: 'production',
      isServing: () => true,
      position: () => seen,
      knownDigest: (release) => (release === 'r5' ? digest : undefined),
      pollMs: 1,
      onState: (state) => states.push(state),
      log: { ...silent, warn: (details) => problems.push(details) },
      signal: stop.signal,
    });
    await waitFor(() => expect(polls).toBeGreaterThan(2));
    stop.abort();
    await following.ended;
    return { isApplied: states.length > 0, problem: JSON.stringify(problems) };
  }

  test.each([
    ['an earlier entry', sent({ ...seen, sequence: 9 }), /ends with entry 9 of epoch 1/],
    ['an earlier epoch', sent({ ...seen, epoch: 0, sequence: 20 }), /entry 20 of epoch 0/],
    [
      'another entry with the same number',
      sent({ ...seen, hash: hash('b') }),
      /entry 10 of epoch 1 is another/,
    ],
    [
      'another release with the same number',
      sent({ ...seen, sequence: 11 }, { digests: { r5: hash('e') } }),
      /r5/,
    ],
    [
      'a loss that is not confirmed',
      sent({ ...seen, sequence: 11 }, { held: 'entries were lost' }),
      /were lost/,
    ],
  ])('is not followed to %s', async (_what, update, problem) => {
    const { isApplied, problem: logged } = await poll(update);
    expect(isApplied).toBe(false);
    expect(logged).toMatch(problem);
  });

  test.each([
    ['the same entry', sent(seen, { digests: { r5: digest } })],
    ['a later entry', sent({ ...seen, sequence: 11 }, { digests: { r5: digest } })],
    ['any entry of a later epoch', sent({ ...seen, epoch: 2, sequence: 3 }, { digests: { r5: hash('e') } })],
    ['any entry without positions, of an older registry', makeState('r5')],
  ])('is followed to %s', async (_what, update) => {
    expect(await poll(update)).toEqual({ isApplied: true, problem: '[]' });
  });
});
