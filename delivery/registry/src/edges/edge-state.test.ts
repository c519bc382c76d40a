import { edgeState, isBehind } from './edge-state.ts';

const now = new Date('2026-01-01T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const live = { number: 2 };
const canary = { number: 3 };

test('an edge without a report for 15 s is silent, whatever it serves', () => {
  const states = [14, 15, 60].map((seconds) =>
    edgeState({ release: 2, canaries: [], seenAt: secondsAgo(seconds) }, { live, canaries: [] }, now),
  );
  expect(states).toEqual(['current', 'silent', 'silent']);
  expect(edgeState({ release: 1, canaries: [], seenAt: secondsAgo(15) }, { live, canaries: [] }, now)).toBe(
    'silent',
  );
});

test.each([
  ['another release than the live one', { release: 1, canaries: [] }, { live, canaries: [] }],
  ['nothing', { release: null, canaries: [] }, { live, canaries: [] }],
  ['a release where nothing is live', { release: 2, canaries: [] }, { live: null, canaries: [] }],
  ['no canary while one runs', { release: 2, canaries: [] }, { live, canaries: [canary] }],
  ['another canary', { release: 2, canaries: [{ release: 4 }] }, { live, canaries: [canary] }],
  ['a canary that has ended', { release: 2, canaries: [{ release: 3 }] }, { live, canaries: [] }],
])('an edge that shows %s is behind', (_what, shown, wanted) => {
  expect(isBehind(shown, wanted)).toBe(true);
  expect(edgeState({ ...shown, seenAt: now }, wanted, now)).toBe('behind');
});

test.each([
  ['the live release', { release: 2, canaries: [] }, { live, canaries: [] }],
  ['the canary as well', { release: 2, canaries: [{ release: 3 }] }, { live, canaries: [canary] }],
  ['nothing where nothing is live', { release: null, canaries: [] }, { live: null, canaries: [] }],
])('an edge that shows %s is not', (_what, shown, wanted) => {
  expect(edgeState({ ...shown, seenAt: now }, wanted, now)).toBe('current');
});
