import { describeEvidence } from './sentence.ts';
import type { Evidence } from './verdict.ts';

const evidence: Evidence = {
  question: 'fault',
  route: '/blocks',
  judged: { views: 188, yes: 41 },
  control: { views: 1_702, yes: 0 },
  chance: 1e-9,
};
const names = { judged: '1.0.0-abc', control: '1.0.0-def' };

test.each<[string, Partial<Evidence>, Parameters<typeof describeEvidence>[1]]>([
  [
    "/blocks failed (browsers reported 'x is undefined') in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def",
    {},
    { ...names, message: 'x is undefined' },
  ],
  [
    'The site failed in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { route: undefined },
    names,
  ],
  [
    "/blocks failed (browsers reported 'no') while it was used in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def",
    { question: 'late-fault' },
    { ...names, message: 'no' },
  ],
  [
    'On /blocks a form could not be sent in 41 of 188 attempts with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { question: 'form' },
    names,
  ],
  [
    '/blocks was slow (LCP above 2,000 ms, with 5 % tolerated for 1.0.0-abc) in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { question: 'lcp' },
    { ...names, limits: [{ judged: 2_100, control: 2_000 }] },
  ],
  [
    "/blocks failed (browsers reported 'no') only in Safari, in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def",
    { engine: 'webkit', only: true },
    { ...names, message: 'no' },
  ],
  [
    'The site failed in Firefox, in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { route: undefined, engine: 'gecko' },
    names,
  ],
  [
    '/blocks was slow (LCP above 1,800 to 2,000 ms, with 5 % tolerated for 1.0.0-abc) in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { question: 'lcp' },
    {
      ...names,
      limits: [
        { judged: 2_100, control: 2_000 },
        { judged: 1_890, control: 1_800 },
      ],
    },
  ],
  [
    'The site was slow (INP above what a quarter of the views had before) in 41 of 188 views with 1.0.0-abc, in 0 of 1,702 with 1.0.0-def',
    { question: 'inp', route: undefined },
    names,
  ],
  [
    '/blocks failed in 41 of 188 views with 1.0.0-abc, and there is nothing to compare it with',
    { control: { views: 0, yes: 0 } },
    names,
  ],
])('%s', (sentence, part, called) => {
  expect(describeEvidence({ ...evidence, ...part }, called)).toBe(sentence);
});
