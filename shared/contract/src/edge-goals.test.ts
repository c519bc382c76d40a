import { servesCanary, servesLive, servesNoOldCanary } from './edge-goals.ts';
import type { ChannelState } from './release.schema.ts';

const running = { canary: { release: 'r9', share: 10 } } as ChannelState;
const none = { canary: null } as ChannelState;
const edge = (release: string | null, canary: { release: string; share: number } | null = null) => ({
  release,
  canary,
});

test('an edge serves a release once it reports that or a later one', () => {
  expect(['r8', 'r9', 'r10', null].map((release) => servesLive('r9')(edge(release), none))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an edge that still shows an ended canary has not reached the goal', () => {
  const old = { release: 'r7', share: 10 };
  expect(servesLive('r9')(edge('r9', old), running)).toBe(false);
  expect(servesNoOldCanary(edge('r9', old), none)).toBe(false);
  expect(servesNoOldCanary(edge('r9', { release: 'r9', share: 5 }), running)).toBe(true);
  expect(servesNoOldCanary(edge('r9'), running)).toBe(true);
});

test('an edge shows a canary with its release and its share', () => {
  const shows = (canary: { release: string; share: number } | null, state: ChannelState) =>
    servesCanary(edge('r8', canary), state);
  expect(shows({ release: 'r9', share: 10 }, running)).toBe(true);
  expect(shows({ release: 'r9', share: 5 }, running)).toBe(false);
  expect(shows({ release: 'r7', share: 10 }, running)).toBe(false);
  expect(shows(null, running)).toBe(false);
  expect(shows(null, none)).toBe(true);
});
