import type { ChannelState } from '@site/contract';
import { createStartupGate } from './startup-gate.ts';
import type { LoadedRelease } from './loaded-release.ts';

const release = (id: string) => ({ id }) as LoadedRelease;
const state = (live: string, revoked: string[] = []) =>
  ({ live, revoked, canaries: [] }) as unknown as ChannelState;

function startGate(remembered: LoadedRelease | null) {
  const keeper = { live: remembered, state: null as ChannelState | null };
  let opened = 0;
  const startupGate = createStartupGate(
    {
      live: () => keeper.live,
      canaries: () => [],
      sets: () => [],
      composed: () => Promise.reject(new Error('not asked')),
      channelState: () => keeper.state,
    },
    () => (opened += 1),
  );
  startupGate.restored();
  return { keeper, startupGate, opened: () => opened };
}

test('a release from disk is shown once the registry confirmed it, or has been unreachable for too long', () => {
  const asked = startGate(release('r1'));
  expect([asked.startupGate.live(), asked.startupGate.isReady()]).toEqual([null, false]);
  asked.keeper.state = state('r1');
  asked.startupGate.caughtUp();
  asked.startupGate.caughtUp();
  expect([asked.startupGate.live()?.id, asked.startupGate.isReady(), asked.opened()]).toEqual([
    'r1',
    true,
    1,
  ]);

  const away = startGate(release('r1'));
  away.startupGate.registryUnreachable();
  expect([away.startupGate.live(), away.startupGate.isReady()]).toEqual([null, false]);
  away.startupGate.open();
  expect([away.startupGate.live()?.id, away.startupGate.isReady()]).toEqual(['r1', true]);
});

test('a revoked release stays hidden until another one is loaded', () => {
  const { keeper, startupGate } = startGate(release('r1'));
  keeper.state = state('r2', ['r1']);
  startupGate.caughtUp();
  startupGate.open();
  expect([startupGate.live(), startupGate.isReady()]).toEqual([null, false]);
  keeper.live = release('r2');
  startupGate.caughtUp();
  expect([startupGate.live()?.id, startupGate.isReady()]).toEqual(['r2', true]);
});

test('without a release from disk, the first release is shown as soon as it is loaded', () => {
  const { keeper, startupGate } = startGate(null);
  keeper.live = release('r1');
  expect([startupGate.live()?.id, startupGate.isReady()]).toEqual(['r1', false]);
});

test('an edge whose token the registry rejects is not ready until it is accepted again', () => {
  const { startupGate } = startGate(release('r1'));
  startupGate.caughtUp();
  startupGate.registryRejected();
  startupGate.registryUnreachable();
  expect([startupGate.live()?.id, startupGate.isReady()]).toEqual(['r1', false]);
  startupGate.caughtUp();
  expect(startupGate.isReady()).toBe(true);
});
