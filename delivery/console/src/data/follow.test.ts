import { createFollowing } from './follow.ts';

class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static made: FakeEventSource[] = [];
  readyState = FakeEventSource.CONNECTING;
  onerror: (() => void) | null = null;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.made.push(this);
  }
  tell(name: string) {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event(name));
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

let looks = 0;

function follow(answers: () => boolean = () => true) {
  const following = createFollowing(() => {
    looks += 1;
    following.noteResult(answers());
    return Promise.resolve();
  });
  const stop = following.start('production');
  return { following, stop };
}

const stream = () => {
  const last = FakeEventSource.made.at(-1);
  if (!last) throw new Error('no stream was opened');
  return last;
};

beforeEach(() => {
  jest.useFakeTimers();
  looks = 0;
  FakeEventSource.made = [];
  Object.assign(globalThis, { EventSource: FakeEventSource });
});
afterEach(() => {
  jest.useRealTimers();
});

test('while the event stream works, there is no polling', () => {
  const { following, stop } = follow();
  stream().tell('marks');
  jest.advanceTimersByTime(100);
  expect(looks).toBe(1);
  expect(following.get()).toEqual({ mode: 'live' });
  jest.advanceTimersByTime(20_000);
  expect(looks).toBe(1);
  stop();
});

test('several changes at the same time cause one refresh', () => {
  const { stop } = follow();
  stream().tell('marks');
  stream().tell('marks');
  stream().tell('marks');
  jest.advanceTimersByTime(100);
  expect(looks).toBe(1);
  stop();
});

test('without events for a while, it polls every five seconds', () => {
  const { following, stop } = follow();
  stream().tell('marks');
  jest.advanceTimersByTime(31_000);
  expect(looks).toBeGreaterThan(1);
  expect(following.get()).toEqual({ mode: 'polling' });
  stream().tell('alive');
  jest.advanceTimersByTime(5_000);
  stop();
});

test('without a response the view shows since when it may be stale, until there is one', () => {
  let isThere = false;
  const { following, stop } = follow(() => isThere);
  const before = Date.now();
  jest.advanceTimersByTime(5_100);
  expect(following.get()).toMatchObject({ mode: 'lost' });
  const { since } = following.get() as { since: number };
  expect(since).toBeGreaterThan(before);
  jest.advanceTimersByTime(5_000);
  expect(following.get()).toEqual({ mode: 'lost', since });
  isThere = true;
  jest.advanceTimersByTime(5_000);
  expect(following.get()).toEqual({ mode: 'polling' });
  stop();
});

test('a rejected stream is opened again; after stopping there are no refreshes', () => {
  const { stop } = follow();
  stream().close();
  jest.advanceTimersByTime(5_100);
  expect(FakeEventSource.made).toHaveLength(2);
  stop();
  const before = looks;
  jest.advanceTimersByTime(60_000);
  expect(looks).toBe(before);
  expect(stream().readyState).toBe(FakeEventSource.CLOSED);
});

test('a silent connection without responses is marked as lost', () => {
  let isThere = true;
  const following = createFollowing(() => {
    if (isThere) following.noteResult(true);
    return Promise.resolve();
  });
  const stop = following.start('production');
  stream().tell('marks');
  jest.advanceTimersByTime(100);
  const known = Date.now();
  isThere = false;
  jest.advanceTimersByTime(36_000);
  expect(following.get()).toMatchObject({ mode: 'lost' });
  expect((following.get() as { since: number }).since).toBeLessThanOrEqual(known);
  stop();
});

test('a failed read is retried while the stream continues', () => {
  let isThere = false;
  const { following, stop } = follow(() => isThere);
  stream().tell('marks');
  jest.advanceTimersByTime(100);
  expect(following.get()).toMatchObject({ mode: 'lost' });
  isThere = true;
  stream().tell('alive');
  jest.advanceTimersByTime(5_100);
  expect(following.get()).toEqual({ mode: 'live' });
  stop();
});

test('after returning to a tab, the view is marked stale until it is refreshed', () => {
  const { following, stop } = follow();
  stream().tell('marks');
  jest.advanceTimersByTime(100);
  const known = Date.now();
  const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  jest.advanceTimersByTime(3_600_000);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  const { since } = following.get() as { since: number };
  expect(since).toBeLessThanOrEqual(known);
  jest.advanceTimersByTime(100);
  expect(following.get()).toEqual({ mode: 'polling' });
  hidden.mockRestore();
  stop();
});

test('a stream that the browser considers open but that is silent, as after sleep, is opened again', () => {
  const { following, stop } = follow();
  stream().tell('marks');
  jest.advanceTimersByTime(36_000);
  expect(FakeEventSource.made).toHaveLength(2);
  expect(FakeEventSource.made[0]?.readyState).toBe(FakeEventSource.CLOSED);
  stream().tell('marks');
  jest.advanceTimersByTime(5_100);
  expect(following.get()).toEqual({ mode: 'live' });
  expect(FakeEventSource.made).toHaveLength(2);
  stop();
});

test('a stream that does not connect is retried after a timeout', () => {
  const { stop } = follow();
  jest.advanceTimersByTime(20_100);
  expect(FakeEventSource.made).toHaveLength(1);
  jest.advanceTimersByTime(10_000);
  expect(FakeEventSource.made).toHaveLength(2);
  stop();
});
