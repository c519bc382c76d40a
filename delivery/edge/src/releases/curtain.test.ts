import type { ChannelState } from '@site/contract';
import { createCurtain } from './curtain.ts';
import type { LoadedRelease } from './loaded-release.ts';

const release = (id: string) => ({ id }) as LoadedRelease;
const state = (live: string, revoked: string[] = []) =>
  ({ live, revoked, canary: null }) as unknown as ChannelState;

/** An edge that begins with what its disk remembers. */
function behindCurtain(remembered: LoadedRelease | null) {
  const keeper = { live: remembered, told: null as ChannelState | null };
  let opened = 0;
  const curtain = createCurtain(
    { live: () => keeper.live, canary: () => null, told: () => keeper.told },
    () => (opened += 1),
  );
  curtain.restored();
  return { keeper, curtain, opened: () => opened };
}

test('what the disk remembers is shown once the registry told of it, or has been unreachable for too long', () => {
  const asked = behindCurtain(release('r1'));
  expect([asked.curtain.live(), asked.curtain.isReady()]).toEqual([null, false]);
  asked.keeper.told = state('r1');
  asked.curtain.caughtUp();
  asked.curtain.caughtUp();
  expect([asked.curtain.live()?.id, asked.curtain.isReady(), asked.opened()]).toEqual(['r1', true, 1]);

  const away = behindCurtain(release('r1'));
  away.curtain.registryIsAway();
  expect([away.curtain.live(), away.curtain.isReady()]).toEqual([null, false]);
  away.curtain.open();
  expect([away.curtain.live()?.id, away.curtain.isReady()]).toEqual(['r1', true]);
});

test('what was revoked stays out of sight, until something else is there', () => {
  const { keeper, curtain } = behindCurtain(release('r1'));
  keeper.told = state('r2', ['r1']);
  curtain.caughtUp();
  curtain.open();
  expect([curtain.live(), curtain.isReady()]).toEqual([null, false]);
  keeper.live = release('r2');
  curtain.caughtUp();
  expect([curtain.live()?.id, curtain.isReady()]).toEqual(['r2', true]);
});

test('an edge that remembers nothing shows the first release as soon as it is there', () => {
  const { keeper, curtain } = behindCurtain(null);
  keeper.live = release('r1');
  expect([curtain.live()?.id, curtain.isReady()]).toEqual(['r1', false]);
});
