import { servesCanary, servesLive, servesNoOldCanary } from './edge-goals.ts';
import type { ChannelState } from './release.schema.ts';

type Canaries = ChannelState['canaries'];
const canary = (release: string, share: number): Canaries[number] => ({ release, app: 'mfe-blocks', share });
const running = { canaries: [canary('r9', 10)] } as ChannelState;
const none = { canaries: [] as Canaries } as ChannelState;
const edge = (release: string | null, ...canaries: Canaries) => ({ release, canaries });

test('an edge serves a release once it reports that or a later one', () => {
  expect(['r8', 'r9', 'r10', null].map((release) => servesLive('r9')(edge(release), none))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an edge that still shows an ended canary has not reached the goal', () => {
  const old = canary('r7', 10);
  expect(servesLive('r9')(edge('r9', old), running)).toBe(false);
  expect(servesNoOldCanary(edge('r9', old), none)).toBe(false);
  expect(servesNoOldCanary(edge('r9', canary('r9', 5)), running)).toBe(true);
  expect(servesNoOldCanary(edge('r9'), running)).toBe(true);
});

test('an edge shows a canary with its release and its share', () => {
  const shows = (state: ChannelState, ...canaries: Canaries) =>
    servesCanary('r9')(edge('r8', ...canaries), state);
  expect(shows(running, canary('r9', 10))).toBe(true);
  expect(shows(running, canary('r7', 10), canary('r9', 10))).toBe(true);
  expect(shows(running, canary('r9', 5))).toBe(false);
  expect(shows(running, canary('r7', 10))).toBe(false);
  expect(shows(running)).toBe(false);
  expect(shows(none)).toBe(true);
});
