import { samplePreview } from '../testing/fake-registry.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { ReleaseDocument } from '@site/contract';
import { createPreviewKeeper } from './preview-keeper.ts';

const link = (index: number) => String(index).padStart(43, 'x');

function createKeeper() {
  const world = { now: 1_000_000, isOver: false, asked: 0, loaded: 0 };
  const preview = { ...samplePreview({}), live: 'r1' };
  const keeper = createPreviewKeeper({
    channel: preview.channel,
    ask() {
      world.asked += 1;
      return Promise.resolve(world.isOver ? ('over' as const) : preview);
    },
    fetchDocument: () => Promise.resolve({} as ReleaseDocument),
    load() {
      world.loaded += 1;
      return Promise.resolve({ id: preview.live } as LoadedRelease);
    },
    now: () => world.now,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return { world, view: (index: number) => keeper.view(link(index), 'somebody') };
}

test('does not look up a rejected id again within a minute', async () => {
  const { world, view } = createKeeper();
  world.isOver = true;
  expect(await view(1)).toEqual({ problem: 'over' });
  world.now += 60_000;
  expect(await view(1)).toEqual({ problem: 'over' });
  expect(world.asked).toBe(1);
  world.now += 1;
  await view(1);
  expect(world.asked).toBe(2);
});

test('keeps eight in memory and evicts the least recently used', async () => {
  const { world, view } = createKeeper();
  for (let index = 0; index < 8; index += 1) expect(await view(index)).toMatchObject({ release: {} });
  expect(world.loaded).toBe(8);
  world.now += 500;
  await view(0);
  await view(8);
  expect(world.loaded).toBe(9);
  world.now += 500;
  await view(0);
  expect(world.loaded).toBe(9);
  await view(1);
  expect(world.loaded).toBe(10);
});
