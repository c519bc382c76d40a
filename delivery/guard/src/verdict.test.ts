import { startComparison, type Comparison, type ComparisonPlan, type Sum } from './comparison.ts';
import type { Engine } from './engines.ts';
import { judge } from './judge.ts';
import { questions, QUESTIONS, type Question } from './questions.ts';
import { evaluate } from './verdict.ts';

const plan: ComparisonPlan = { against: 'live', apps: 1, routes: ['/blocks', '/blocks/auth'] };

interface Told {
  route?: string;
  engine?: Engine;
  question?: Question;
  judged: [views: number, yes: number];
  control?: [views: number, yes: number];
  networks?: string[];
  controlNetworks?: number;
}

const makeSum = ({
  route = '/blocks',
  engine = 'chromium',
  question = 'fault',
  judged,
  control = [0, 0],
  ...rest
}: Told): Sum => {
  const [views, yes] = judged;
  const from = rest.networks ?? Array.from({ length: views }, () => `n${next++}`);
  return {
    route,
    engine,
    question,
    judged: {
      views,
      yes,
      networks: new Set(from).size,
      from,
      yesFrom: Array.from({ length: yes }, (_, index) => from[index % from.length]!),
    },
    control: { views: control[0], yes: control[1], networks: rest.controlNetworks ?? control[0] },
  };
};
let next = 0;

const tell = (comparison: Comparison, times: number, ...told: Told[]) =>
  Array.from({ length: times }).reduce<Comparison>((known) => judge(known, told.map(makeSum)), comparison);

const throwing: Told = { judged: [1, 1], control: [9, 0] };

test('a page that throws for everyone is bad after a few visitors, with the page and its counts', () => {
  const verdict = evaluate(tell(startComparison(plan), 5, throwing));
  expect(verdict).toMatchObject({
    is: 'bad',
    evidence: {
      question: 'fault',
      route: '/blocks',
      judged: { views: 5, yes: 5 },
      control: { views: 45, yes: 0 },
    },
  });
});

test('faults of a few among many views need more networks than one owner has on that side', () => {
  const fine: Told = { judged: [1, 0], control: [9, 0] };
  const after = (failing: number) =>
    evaluate(tell(tell(startComparison(plan), 100, fine), failing, fine, throwing));
  expect(after(12)).toMatchObject({
    is: 'waiting',
    lacking: { networks: 1 },
    suspected: { route: '/blocks' },
  });
  expect(after(13).is).toBe('bad');
});

test('if nearly all views fail, few networks suffice once others were to be expected', () => {
  const usual = { rates: { '/blocks': 1 }, fromMs: 0 };
  const at = (seconds: number, told: Told = throwing) => {
    let comparison = startComparison({ ...plan, usual });
    for (let sum = 0; sum < 6; sum++)
      comparison = judge(comparison, [makeSum(told)], { atMs: seconds * 1_000 });
    return evaluate(comparison).is;
  };
  // A tenth of a view a second.
  expect([at(40), at(43)]).toEqual(['waiting', 'bad']);
  expect([
    at(43, { ...throwing, question: 'late-fault' }),
    at(71, { ...throwing, question: 'late-fault' }),
  ]).toEqual(['waiting', 'bad']);
});

test('faults that the live version also has do not count', () => {
  const verdict = evaluate(tell(startComparison(plan), 60, { judged: [1, 1], control: [9, 9] }));
  expect(verdict.is).toBe('waiting');
});

test('faults without simultaneous views of the live version do not count', () => {
  expect(evaluate(tell(startComparison(plan), 60, { judged: [1, 1] })).is).toBe('waiting');
});

test('an answer waits for an answer of the live version', () => {
  const alone = tell(startComparison(plan), 1, { judged: [6, 6] });
  expect(evaluate(tell(alone, 1, { judged: [0, 0], control: [54, 0] })).is).toBe('bad');
});

test('old answers of the control have little weight', () => {
  const waited = (sums: number) =>
    tell(
      tell(startComparison(plan), 1, { judged: [0, 0], control: [1_000, 0] }),
      sums,
      { judged: [0, 0] },
      { judged: [1, 0], control: [9, 0], question: 'lcp' },
    );
  const weighed = (sums: number) =>
    tell(waited(sums), 1, { judged: [1, 1] }).questions.fault.strata['/blocks']?.chromium?.past.control.views;
  expect(weighed(1)).toBe(1_000);
  expect(weighed(150)).toBeLessThan(2);
});

test('one network is never enough, even with the usual faults of others', () => {
  let comparison = startComparison(plan);
  for (let sum = 0; sum < 200; sum++)
    comparison = judge(
      comparison,
      plan.routes.flatMap((route) => [
        makeSum({ route, judged: [3, 3], networks: ['one'], control: [9, 0] }),
        makeSum({ route, judged: [1, sum % 50 === 0 ? 1 : 0], control: [9, sum % 6 === 0 ? 1 : 0] }),
      ]),
    );
  expect(evaluate(comparison).is).toBe('waiting');
});

test('three faulty views of one visitor count once', () => {
  let comparison = startComparison(plan);
  for (const visitor of ['a', 'b', 'c', 'd'])
    comparison = tell(comparison, 1, { judged: [3, 3], networks: [visitor], control: [27, 0] });
  expect(comparison.questions.fault.strata['/blocks']?.chromium).toMatchObject({
    judged: { views: 12, yes: 12 },
    past: { judged: { yes: 12 }, admitted: { views: 4, yes: 4 } },
  });
});

test('missing networks are reported with their number and the suspicion', () => {
  const networks = ['a', 'b'];
  const verdict = evaluate(tell(startComparison(plan), 6, { judged: [1, 1], control: [20, 0], networks }));
  const second = tell(startComparison(plan), 3, { judged: [2, 2], control: [40, 0], networks });
  expect(verdict.is).toBe('waiting');
  expect(evaluate(second)).toMatchObject({
    is: 'waiting',
    lacking: { networks: 2 },
    suspected: { question: 'fault', route: '/blocks' },
  });
});

test('ten views of one network in one batch count as three', () => {
  const told: Told = { judged: [10, 0], networks: ['one'], control: [10, 0], controlNetworks: 1 };
  const { past } = tell(startComparison(plan), 1, told).questions.fault.strata['/blocks']!.chromium!;
  expect(past).toMatchObject({ judged: { views: 3 }, control: { views: 3 } });
});

test('a tolerated difference never ends a release', () => {
  const told: Told = { judged: [250, 1], control: [1_000, 0] };
  expect(evaluate(tell(startComparison(plan), 100, told)).is).not.toBe('bad');
});

test('a version is good after enough views from enough networks without faults', () => {
  const told: Told = { judged: [10, 0], control: [90, 0] };
  const early = evaluate(tell(startComparison(plan), 5, told));
  expect(early).toMatchObject({ is: 'waiting', suspected: undefined });
  if (early.is !== 'waiting') throw new Error('It is waiting.');
  expect(early.lacking.views).toBeGreaterThan(100);
  expect(evaluate(tell(startComparison(plan), 50, told))).toMatchObject({
    is: 'good',
    evidence: [{ question: 'fault', route: undefined, judged: { views: 500, yes: 0 } }],
  });
  const networks = ['a', 'b', 'c'];
  const few = evaluate(tell(startComparison(plan), 500, { ...told, networks, controlNetworks: 90 }));
  expect(few).toMatchObject({ is: 'waiting', lacking: { views: 0, networks: 1 } });
});

test('a suspicion prevents a good verdict', () => {
  const good = tell(startComparison(plan), 100, { judged: [10, 0], control: [90, 0] });
  const late = tell(good, 1, {
    question: 'lcp',
    route: '/blocks/auth',
    judged: [30, 20],
    control: [500, 120],
  });
  expect(evaluate(good).is).toBe('good');
  expect(evaluate(late)).toMatchObject({ is: 'waiting', suspected: { question: 'lcp' } });
});

test('a problem that starts after a good hour is also detected', () => {
  const good = tell(startComparison(plan), 1_800, { judged: [1, 0], control: [9, 0] });
  expect(evaluate(good).is).toBe('good');
  expect(evaluate(tell(good, 30, { judged: [1, 1], control: [9, 0] })).is).toBe('bad');
});

describe('each engine is compared with itself', () => {
  const record = {
    fault: { '/blocks': { chromium: { views: 9_000, yes: 9 }, webkit: { views: 1_000, yes: 150 } } },
  };
  const recorded: ComparisonPlan = { against: 'record', apps: 1, routes: ['/blocks'], record };
  const more = (safariFails: number): Told[] => [
    { engine: 'chromium', judged: [60, 0] },
    { engine: 'webkit', judged: [40, safariFails] },
  ];

  test('more visitors with an engine that always fails more do not count', () => {
    expect(evaluate(tell(startComparison(recorded), 100, ...more(6))).is).toBe('good');
  });

  test('an engine that fails more than before is detected, and reported as the only one', () => {
    expect(evaluate(tell(startComparison(recorded), 30, ...more(30)))).toMatchObject({
      is: 'bad',
      evidence: { engine: 'webkit', only: true, control: { views: 1_000, yes: 150 } },
    });
  });

  test('a failure in all engines is not reported for one', () => {
    const all: Told[] = [
      { engine: 'chromium', judged: [6, 3], control: [54, 0] },
      { engine: 'webkit', judged: [4, 2], control: [36, 0] },
    ];
    const verdict = evaluate(tell(startComparison(plan), 10, ...all));
    expect(verdict).toMatchObject({ is: 'bad' });
    expect(verdict.is === 'bad' && verdict.evidence.only).toBeUndefined();
  });

  test('a page without earlier views in an engine is judged as new there, except in "other"', () => {
    const after = (engine: Engine, fails: number) =>
      evaluate(
        tell(startComparison({ ...recorded, seen: { '/blocks': ['chromium', 'webkit'] } }), 60, {
          engine,
          judged: [10, fails],
        }),
      ).is;
    expect([after('gecko', 10), after('gecko', 4), after('other', 10)]).toEqual([
      'bad',
      'waiting',
      'waiting',
    ]);
  });
});

describe('answers omitted because one network sent many', () => {
  const some = (failing: number): Told[] =>
    Array.from({ length: 10 }, (_, index) => ({
      judged: [1, index < failing ? 1 : 0],
      control: [20, 0],
      networks: [`n${index}`],
    }));

  test('are no evidence: a version that fails in every view of three networks is suspected', () => {
    expect(evaluate(tell(startComparison(plan), 200, ...some(3)))).toMatchObject({
      is: 'waiting',
      suspected: { question: 'fault', route: '/blocks', judged: { views: 2_000, yes: 600 } },
    });
  });

  test('of two networks are already a suspicion', () => {
    expect(evaluate(tell(startComparison(plan), 200, ...some(2)))).toMatchObject({
      is: 'waiting',
      suspected: { question: 'fault', route: '/blocks' },
    });
  });

  test('of one network prevent a good verdict, but are not a suspicion', () => {
    expect(evaluate(tell(startComparison(plan), 200, ...some(1)))).toMatchObject({
      is: 'waiting',
      suspected: undefined,
    });
    expect(evaluate(tell(startComparison(plan), 200, ...some(0))).is).toBe('good');
  });
});

test('a network counts again after 128 other failing networks', () => {
  const admitted = (networks: readonly string[]) => {
    const { past, open } = networks.reduce(
      (known, network) => tell(known, 1, { judged: [1, 1], control: [9, 0], networks: [network] }),
      startComparison(plan),
    ).questions.fault.strata['/blocks']!.chromium!;
    return past.admitted.yes + open.admitted.yes;
  };
  const others = (count: number) => Array.from({ length: count }, (_, index) => `other-${index}`);
  expect(admitted(['one', ...others(127), 'one'])).toBe(128);
  expect(admitted(['one', ...others(128), 'one'])).toBe(130);
});

test.each(['form', 'late-fault', 'fault'] as const)(
  'five yes answers to %s by one visitor count once',
  (question) => {
    const known = ['a', 'b', 'c', 'd'].reduce(
      (before, visitor) =>
        tell(before, 5, { question, judged: [1, 1], control: [9, 0], networks: [visitor] }),
      startComparison(plan),
    );
    const { past, open, judged } = known.questions[question].strata['/blocks']!.chromium!;
    expect([judged.yes, past.admitted.yes + open.admitted.yes]).toEqual([20, 4]);
  },
);

describe('a page without a control', () => {
  const isNew: ComparisonPlan = { ...plan, newRoutes: ['/blocks/auth'] };
  const alone = (yes: number, more: Partial<Told> = {}): Told => ({
    route: '/blocks/auth',
    judged: [10, yes],
    ...more,
  });
  const others: Told = { judged: [10, 0], control: [90, 0] };

  test('is bad if it fails for everyone', () => {
    expect(evaluate(tell(startComparison(isNew), 3, others, alone(10)))).toMatchObject({
      is: 'bad',
      evidence: { route: '/blocks/auth', judged: { views: 30, yes: 30 }, control: { views: 0, yes: 0 } },
    });
  });

  test('is suspected if half of its views fail, which prevents a good verdict', () => {
    const verdict = evaluate(tell(startComparison(isNew), 200, others, alone(5)));
    expect(verdict).toMatchObject({ is: 'waiting', suspected: { route: '/blocks/auth' } });
  });

  test('is suspected because of one network, but never bad', () => {
    const verdict = evaluate(tell(startComparison(isNew), 20, others, alone(10, { networks: ['one'] })));
    expect(verdict).toMatchObject({ is: 'waiting', suspected: { route: '/blocks/auth' } });
  });

  test('makes a new app good if it has no faults', () => {
    const app: ComparisonPlan = { ...plan, routes: ['/blocks/auth'], newRoutes: ['/blocks/auth'] };
    expect(evaluate(tell(startComparison(app), 30, alone(0))).is).toBe('good');
    expect(evaluate(tell(startComparison({ ...app, newRoutes: [] }), 30, alone(0))).is).toBe('waiting');
  });

  test('is suspected if it fails, even if the control has it without views', () => {
    const verdict = evaluate(tell(startComparison(plan), 5, others, alone(10)));
    expect(verdict).toMatchObject({ is: 'waiting', suspected: { route: '/blocks/auth' } });
  });

  test('is judged even if there is a record of other pages', () => {
    const record = { fault: { '/blocks': { chromium: { views: 4_000, yes: 4 } } } };
    const settled = tell(
      startComparison({ ...isNew, against: 'record', record }),
      QUESTIONS.fault.settlesAfterSums,
      alone(10),
    );
    expect(evaluate(tell(settled, 4, alone(10)))).toMatchObject({
      is: 'bad',
      evidence: { route: '/blocks/auth' },
    });
  });
});

test('the apps of a release share the false alarm budget', () => {
  const chance = (apps: number) => {
    const verdict = evaluate(tell(startComparison({ ...plan, apps }), 5, throwing));
    return verdict.is === 'bad' ? verdict.evidence.chance : NaN;
  };
  expect(chance(2)).toBeCloseTo(2 * chance(1), 12);
});

describe('against a record', () => {
  const record = {
    fault: {
      '/blocks': { chromium: { views: 4_000, yes: 4 } },
      '/blocks/auth': { chromium: { views: 4_000, yes: 4 } },
    },
  };
  const recorded: ComparisonPlan = { ...plan, against: 'record', record };
  const settled = () =>
    tell(startComparison(recorded), QUESTIONS.fault.settlesAfterSums, { judged: [40, 40] });

  test('the first seconds do not count, because faults are reported before their absence', () => {
    expect(evaluate(settled()).is).toBe('waiting');
  });

  test('a page that throws for everyone is bad', () => {
    expect(evaluate(tell(settled(), 24, { judged: [1, 1] }))).toMatchObject({
      is: 'bad',
      evidence: { route: '/blocks', judged: { views: 24, yes: 24 }, control: { views: 4_000, yes: 4 } },
    });
  });

  test('an equal version is good', () => {
    expect(evaluate(tell(settled(), 1_000, { judged: [1, 0] })).is).toBe('good');
  });

  test('a page without a record is not judged', () => {
    const without = startComparison({ ...recorded, record: {} });
    expect(evaluate(tell(without, 100, { judged: [5, 5] })).is).toBe('waiting');
  });
});

test('batches that contradict themselves or the plan are rejected', () => {
  const started = startComparison(plan);
  expect(() => judge(started, [makeSum({ judged: [1, 2] })])).toThrow(
    '/blocks has 2 yes in 1 answers to fault.',
  );
  expect(() => judge(started, [makeSum({ route: '/other', judged: [1, 0] })])).toThrow(
    'No comparison of /other: it is not among the routes of the plan.',
  );
});

test('the state is plain JSON, and immutable', () => {
  const known = tell(startComparison(plan), 3, throwing, { ...throwing, question: 'lcp' });
  const kept = structuredClone(known);
  expect(JSON.parse(JSON.stringify(known))).toEqual(known);
  tell(known, 3, throwing);
  expect(known).toEqual(kept);
});

test('the questions share the false alarm budget', () => {
  expect(questions.reduce((sum, question) => sum + QUESTIONS[question].weight, 0)).toBeCloseTo(1, 12);
  for (const { bets } of Object.values(QUESTIONS))
    expect(bets.reduce((sum, { stake }) => sum + stake, 0)).toBeCloseTo(1, 12);
});
