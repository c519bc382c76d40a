import { ENOUGH_FOR_A_STEP, nextStep, type Stage } from './stages.ts';
import type { Evidence } from './verdict.ts';

const stages = { parts: [0.01, 0.1, 0.5, 1], everyMs: 600_000 };
const evidence: Evidence = {
  question: 'fault',
  route: '/blocks',
  judged: { views: 10, yes: 9 },
  control: { views: 90, yes: 0 },
  chance: 0.01,
};
const lacking = { views: 50, networks: 0 };
const stage: Stage = {
  part: 0.1,
  sinceMs: 600_000,
  ...ENOUGH_FOR_A_STEP,
  verdict: { is: 'good', evidence: [] },
};

test('a good version gets the next share after the minimum time of this one', () => {
  expect(nextStep(stages, stage)).toEqual({ do: 'raise', part: 0.5 });
  expect(nextStep(stages, { ...stage, sinceMs: 540_500 })).toEqual({
    do: 'wait',
    why: '60 s of this share are left',
  });
});

test('the last stage is everyone, and then the canary is complete', () => {
  expect(nextStep(stages, { ...stage, part: 0.5 })).toEqual({ do: 'raise', part: 1 });
  expect(nextStep(stages, { ...stage, part: 1 })).toEqual({ do: 'nothing' });
});

test('the step to everyone requires a good verdict; the missing data and the manual options are reported', () => {
  const last: Stage = { ...stage, part: 0.5, sinceMs: 10 * 600_000, views: 5_000, networks: 200 };
  const waiting = { is: 'waiting', lacking, suspected: undefined } as const;
  const why = (verdict: Stage['verdict']) => nextStep(stages, { ...last, verdict });
  expect(why(waiting)).toEqual({
    do: 'wait',
    why: 'everyone gets it when its verdict is good, which still takes at least 50 more views, or when a person promotes it ("npx @site/cli promote")',
  });
  expect(why({ ...waiting, lacking: { views: 1_200, networks: 3 } })).toMatchObject({
    why: expect.stringContaining(
      'which still takes at least 1,200 more views and views from 3 more networks,',
    ) as string,
  });
  expect(why({ ...waiting, lacking: { views: 1, networks: 1 } })).toMatchObject({
    why: expect.stringContaining(
      'which still takes at least 1 more view and views from 1 more network,',
    ) as string,
  });
  expect(why({ ...waiting, lacking: { views: 0, networks: 0 } })).toMatchObject({
    why: expect.stringContaining('which still takes more evidence,') as string,
  });
  expect(why({ ...waiting, suspected: evidence })).toEqual({
    do: 'wait',
    why: 'something looks bad, and more visitors have to show it',
  });
  expect(nextStep(stages, { ...last, sinceMs: 0, verdict: waiting })).toMatchObject({
    why: '600 s of this share are left',
  });
});

test('a canary of only the configuration needs no good verdict', () => {
  expect(nextStep(stages, { ...stage, part: 0.5, verdict: null })).toEqual({ do: 'raise', part: 1 });
  expect(nextStep(stages, { ...stage, part: 0.5, verdict: null, views: 40 })).toEqual({
    do: 'wait',
    why: '60 more views with this share are needed',
  });
});

test('a bad version stops at any share and time', () => {
  const verdict = { is: 'bad', evidence } as const;
  expect(nextStep(stages, { ...stage, sinceMs: 0, verdict }).do).toBe('stop');
  expect(nextStep(stages, { ...stage, part: 1, verdict }).do).toBe('stop');
});

test('without a verdict or a suspicion, enough visitors of this share suffice', () => {
  const verdict = { is: 'waiting', lacking, suspected: undefined } as const;
  expect(nextStep(stages, { ...stage, verdict })).toEqual({ do: 'raise', part: 0.5 });
  expect(nextStep(stages, { ...stage, verdict, views: 40 })).toEqual({
    do: 'wait',
    why: '60 more views with this share are needed',
  });
  expect(nextStep(stages, { ...stage, verdict, views: 99 })).toEqual({
    do: 'wait',
    why: '1 more view with this share is needed',
  });
  expect(nextStep(stages, { ...stage, verdict, networks: 9 })).toEqual({
    do: 'wait',
    why: 'views from 1 more network are needed',
  });
  expect(nextStep(stages, { ...stage, verdict, networks: 3 })).toEqual({
    do: 'wait',
    why: 'views from 7 more networks are needed',
  });
  expect(nextStep(stages, { ...stage, verdict: { ...verdict, suspected: evidence } })).toEqual({
    do: 'wait',
    why: 'something looks bad, and more visitors have to show it',
  });
});
