import * as fc from 'fast-check';
import { startComparison, type ComparisonPlan, type Sum } from './comparison.ts';
import { rateBounds, type Count } from './evidence.ts';
import { judge } from './judge.ts';
import { payAgainstLive, payAgainstRecord, payAlone, type Paid } from './payments.ts';
import { decide } from './policy.ts';
import { slowLimits, questions, type Against } from './questions.ts';
import { nextStep } from './stages.ts';
import { evaluate } from './verdict.ts';

const part = fc.double({ min: 0, max: 1, noNaN: true });
/** From one answer to a billion, with any rate, and often with no or only yes answers. */
const counts = fc
  .tuple(
    fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 1e9 })),
    fc.oneof(part, fc.constantFrom(0, 1)),
  )
  .map(([views, rate]): Count => ({ views, yes: Math.round(views * rate) }));
/** As made by `weigh`, down to one network with a billion answers. */
const weight = fc.double({ min: 1e-9, max: 1, noNaN: true });
const weighed = fc
  .tuple(counts, weight)
  .map(([{ views, yes }, by]): Count => ({ views: views * by, yes: yes * by }));
const answers = fc.tuple(weighed, weighed, part).map(([judged, control, left]) => ({
  judged,
  control,
  admitted: { views: judged.views - judged.yes * left, yes: judged.yes * (1 - left) },
}));
const question = fc.constantFrom(...questions);
const finite = (paid: Paid) =>
  expect(
    Object.values(paid)
      .flat()
      .filter((log) => !Number.isFinite(log)),
  ).toEqual([]);

test('payments are finite for any record, live version and answers', () => {
  fc.assert(
    fc.property(
      answers,
      counts,
      question,
      fc.double({ min: 1e-12, max: 0.5, noNaN: true }),
      (block, before, of, doubt) => {
        finite(payAgainstRecord(block, { counted: before, ...rateBounds(before, doubt) }, of));
        finite(payAgainstLive(block, before, of));
        finite(payAlone(block, of));
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a verdict has finite numbers for any counts', () => {
  const sums = fc.array(fc.tuple(question, counts, counts), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom<Against>('live', 'record'), counts, sums, (against, before, told) => {
      const plan: ComparisonPlan = {
        against,
        apps: 1,
        routes: ['/'],
        ...(against === 'record' && {
          record: Object.fromEntries(questions.map((of) => [of, { '/': { gecko: before } }])),
        }),
      };
      const known = told.reduce((comparison, [of, judged, control]) => {
        const sum: Sum = {
          route: '/',
          engine: 'gecko',
          question: of,
          judged: { ...judged, networks: judged.views, from: ['a', 'b'], yesFrom: ['a', 'b'] },
          control: { ...control, networks: control.views },
        };
        return judge(
          comparison,
          Array.from({ length: 4 }, () => sum),
        );
      }, startComparison(plan));
      // A non-finite number would become null.
      expect(JSON.stringify([known, evaluate(known)])).not.toContain('null');
    }),
    { numRuns: 300 },
  );
});

describe('a page that always failed before', () => {
  const fails = { views: 1_000, yes: 1_000 };
  const works = { views: 100_000, yes: 100 };
  const plan: ComparisonPlan = {
    against: 'record',
    apps: 1,
    routes: ['/a', '/b'],
    record: { fault: { '/a': { gecko: fails }, '/b': { gecko: works } } },
  };
  const sum = (route: string, views: number, yes: number): Sum => {
    const networks = Array.from({ length: views }, () => `n${(next += 1)}`);
    return {
      route,
      engine: 'gecko',
      question: 'fault',
      judged: { views, yes, networks: views, from: networks, yesFrom: networks.slice(0, yes) },
      control: { views: 0, yes: 0, networks: 0 },
    };
  };
  let next = 0;
  const after = (batches: number, of: () => Sum[]) =>
    Array.from({ length: batches }).reduce<ReturnType<typeof startComparison>>(
      (known) => judge(known, of()),
      startComparison(plan),
    );

  test('does not make a version good by its first working view', () => {
    expect(evaluate(after(10, () => [sum('/a', 3, 0)])).is).toBe('waiting');
  });

  test("does not hide another page's failures", () => {
    const known = after(200, () => [sum('/a', 2, 0), sum('/b', 20, 1)]);
    expect(evaluate(known)).toMatchObject({ is: 'bad', evidence: { question: 'fault', route: '/b' } });
  });
});

test('non-finite numbers are rejected everywhere', () => {
  const plan: ComparisonPlan = { against: 'live', apps: 1, routes: ['/'] };
  const verdict = evaluate(startComparison(plan));
  const stage = { part: 0.1, sinceMs: 0, views: 0, networks: 0, verdict };
  for (const bad of [NaN, Infinity, -Infinity]) {
    const count = { views: bad, yes: 0 };
    expect(() => startComparison({ ...plan, apps: bad })).toThrow(RangeError);
    const record = { fault: { '/': { gecko: count } } };
    expect(() => startComparison({ ...plan, against: 'record', record })).toThrow(RangeError);
    for (const broken of [{ views: bad }, { yes: bad }, { networks: bad }]) {
      const judged = { views: 1, yes: 0, networks: 1, from: [], yesFrom: [], ...broken };
      const control = { views: 0, yes: 0, networks: 0 };
      const sum: Sum = { route: '/', engine: 'gecko', question: 'fault', judged, control };
      expect(() => judge(startComparison(plan), [sum])).toThrow(RangeError);
    }
    expect(() => slowLimits(bad, 'live')).toThrow(RangeError);
    expect(() => rateBounds({ views: 1, yes: bad }, 0.1)).toThrow(RangeError);
    expect(() =>
      decide({ policy: 'act', phase: 'release', sinceMs: bad, verdict, actedLast: false }),
    ).toThrow(RangeError);
    for (const broken of [{ part: bad }, { sinceMs: bad }, { views: bad }, { networks: bad }])
      expect(() => nextStep({ parts: [1], everyMs: 0 }, { ...stage, ...broken })).toThrow(RangeError);
  }
});
