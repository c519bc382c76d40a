import { type EdgeSums, MAX_CELLS } from '@site/contract/signals/sums.schema';
import { createHandOver } from './hand-over.ts';
import type { CellKey, Sums } from './sums.ts';

const key: CellKey = {
  app: 'mfe-blocks',
  version: '1.0.0-0123456789ab',
  route: '/blocks',
  role: 'live',
  build: 'live',
  stretch: 'first',
  engine: 'chromium',
};
class Refused extends Error {}

/** A registry that counts each batch once, and responds as the test specifies. */
function createRegistry() {
  const counted = new Map<number, EdgeSums>();
  const sent: number[] = [];
  let answer: 'yes' | 'away' | 'lost' | 'refused' = 'yes';
  const dropped: string[] = [];
  let clock = 0;
  const handOver = createHandOver({
    channel: 'production',
    tell(sums) {
      sent.push(sums.sequence);
      if (answer === 'refused') return Promise.reject(new Refused());
      // Counted, but the response is lost.
      if (answer !== 'away') counted.set(sums.sequence, sums);
      return answer === 'yes' ? Promise.resolve() : Promise.reject(new Error(answer));
    },
    isRefusal: (error) => error instanceof Refused,
    onDropped: (what) => dropped.push(what),
    now: () => clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return {
    handOver,
    counted,
    sent,
    dropped,
    answers: (next: typeof answer) => void (answer = next),
    clock: (at: number) => void (clock = at),
    see: (views: number) => {
      for (let view = 0; view < views; view += 1) handOver.open().add(key, { views: 1, network: 0 });
    },
    views: () =>
      [...counted.values()].flatMap(({ cells }) => cells).reduce((sum, { views }) => sum + views, 0),
  };
}

test('while the registry is down, sums accumulate, and are counted once when it is back', async () => {
  const registry = createRegistry();
  registry.answers('away');
  for (let tick = 0; tick < 1_000; tick += 1) {
    registry.see(3);
    await registry.handOver.tick();
  }
  registry.answers('yes');
  await registry.handOver.tick();
  await registry.handOver.tick();
  expect(registry.views()).toBe(3_000);
  // The batch in flight, and the remaining sums.
  expect([...registry.counted.keys()]).toEqual([1, 2]);
});

test('a batch without a response is sent again unchanged, with the same number', async () => {
  const registry = createRegistry();
  registry.see(1);
  registry.answers('lost');
  await registry.handOver.tick();
  registry.see(5);
  await registry.handOver.tick();
  registry.answers('yes');
  await registry.handOver.finish();
  expect(registry.sent).toEqual([1, 1, 1, 2]);
  expect(registry.views()).toBe(6);
});

test('delayed outcomes are sent when due, regardless of other events', async () => {
  const registry = createRegistry();
  registry.handOver.sumsAt(1_500).add(key, { views: 1, network: 0 });
  registry.handOver.sumsAt(1_900).add(key, { views: 1, network: 0 });
  registry.clock(1_999);
  await registry.handOver.tick();
  expect(registry.views()).toBe(0);
  registry.clock(2_000);
  await registry.handOver.tick();
  expect(registry.views()).toBe(2);
  expect(registry.dropped).toEqual([]);
});

test('a full batch drops further places, and still counts known ones', async () => {
  const { handOver, counted, dropped, views } = createRegistry();
  const see = (sums: Sums, route: number) =>
    sums.add({ ...key, route: `/${route}` }, { views: 1, network: 0 });
  for (let route = 0; route < MAX_CELLS; route += 1) expect(see(handOver.open(), route)).toBe(true);
  expect(see(handOver.open(), MAX_CELLS)).toBe(false);
  for (const route of [MAX_CELLS, 0]) see(handOver.sumsAt(0), route);
  await handOver.tick();
  expect(dropped).toEqual(['full']);
  expect(counted.get(1)?.cells).toHaveLength(MAX_CELLS);
  expect(views()).toBe(MAX_CELLS + 1);
});

test('a permanently rejected batch does not block later ones', async () => {
  const registry = createRegistry();
  registry.see(1);
  registry.answers('refused');
  await registry.handOver.tick();
  registry.see(2);
  registry.answers('yes');
  await registry.handOver.tick();
  expect(registry.dropped).toEqual(['refused']);
  expect(registry.views()).toBe(2);
});

test('empty batches are not sent', async () => {
  const registry = createRegistry();
  await registry.handOver.tick();
  expect(registry.sent).toEqual([]);
});
