/**
 * One address attacks a version for an hour, among honest visitors. Uses an edge's real counters, the registry's
 * evaluation and the guard. Both versions are equal.
 */
import { createSignalHarness, outcome } from '@site/edge/testing/signal-harness';
import { startComparison } from '@site/guard/comparison';
import { judge } from '@site/guard/judge';
import { decide } from '@site/guard/policy';
import type { Against } from '@site/guard/questions';
import { seededRandom, type Random } from '@site/guard/testing/seeded-random';
import { evaluate } from '@site/guard/verdict';
import type { Report, SignalView } from '@site/contract/signals/report.schema';
import { sketchBucket, type Sketch } from '@site/contract/signals/sketch';
import {
  answersIn,
  recordLimits,
  recordedAnswers,
  STATE_FORMAT,
  type JudgementState,
} from '@site/registry/signals/judgement';
import type { SignalSums } from '@site/registry/signals/signal-sums';

export const attacks = ['failed forms', 'faults', 'later faults', 'slow pages', 'all of them'] as const;
export type Attack = (typeof attacks)[number];

export interface Attacked {
  /** `live`: a canary with half of the visitors. `record`: a release. */
  against: Against;
  viewsPerMinute: number;
  attack: Attack;
  minutes: number;
  seed: number;
}

export interface Outcome {
  ended: number | undefined;
  /** Whether a metric looked bad in the end: this pauses a canary's steps. */
  isSuspected: boolean;
}

const app = 'mfe-blocks';
const routes = ['/blocks', '/blocks/auth'];
const STEP_SECONDS = 2;
const NETWORKS = 3_000;
/** The fault rate of both versions. */
const FAULTS = 0.002;
const FORMS_FAIL = 0.02;
const SENDS_FORM = 0.03;
const TELLS_VITALS = 0.6;
const RECORD_VIEWS = 20_000;

export async function attackByOneAddress(attacked: Attacked): Promise<Outcome> {
  const { against, viewsPerMinute, attack, minutes, seed } = attacked;
  const random = seededRandom(seed);
  const site = createSignalHarness();
  const live = site.view().version;
  const version = against === 'live' ? site.canaryVersion : live;
  const judged = { app, version, control: live };
  let state = startedState(against, random);
  let told = 0;

  const send = (of: string, caller: string, makeReports: (view: SignalView) => Report[]) => {
    const view = site.view({ version: of, route: pick(random, routes) });
    site.send(makeReports(view), { caller, release: of === live ? 'r1' : 'r2' });
  };
  const isLook = { ended: undefined as number | undefined, isSuspected: false };
  for (let second = 0; second < minutes * 60; second += STEP_SECONDS) {
    site.pass(STEP_SECONDS * 1_000);
    for (let view = random.poisson((viewsPerMinute * STEP_SECONDS) / 60); view > 0; view--) {
      const network = Math.floor(random.next() * NETWORKS);
      const seen = against === 'live' && random.next() < 0.5 ? site.canaryVersion : live;
      send(seen, `10.${network >> 8}.${network & 255}.1`, (of) => honest(of, random));
    }
    // More often than any limit allows.
    for (let time = 0; time < STEP_SECONDS; time++) {
      send(version, '203.0.113.7', (of) => hostile(of, attack));
      if (against === 'live' && attack === 'all of them') send(live, '203.0.113.7', (of) => flattering(of));
    }
    await site.counter.tick();
    for (const { cells } of site.batches.slice(told)) {
      const comparison = judge(state.comparison, answersIn(cells, judged, state));
      state = { ...state, comparison };
    }
    told = site.batches.length;
    const verdict = evaluate(state.comparison);
    isLook.isSuspected = verdict.is === 'waiting' && verdict.suspected !== undefined;
    const phase = against === 'live' ? 'canary' : 'release';
    // As if the release were always new: the guard would otherwise act for ten minutes only.
    if (decide({ policy: 'act', phase, sinceMs: 0, verdict, actedLast: false }).do === 'act')
      return { ...isLook, ended: second + STEP_SECONDS };
  }
  return isLook;
}

export const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random.next() * of.length)]!;
/** In ms, spread like visits. */
export const timeAround = (random: Random, ms: number) => {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Math.round(ms * Math.exp(0.5 * normal));
};

function honest(view: SignalView, random: Random): Report[] {
  const faulty = () => (random.next() < FAULTS ? [app] : []);
  return [
    outcome(view, faulty()),
    { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: faulty() },
    ...(random.next() < TELLS_VITALS
      ? [{ kind: 'vitals', view, lcp: timeAround(random, 1_000), inp: timeAround(random, 80) } as const]
      : []),
    ...(random.next() < SENDS_FORM
      ? [{ kind: 'form', view, sent: random.next() >= FORMS_FAIL } as const]
      : []),
  ];
}

function hostile(view: SignalView, attack: Attack): Report[] {
  const reports: Record<Exclude<Attack, 'all of them'>, Report> = {
    'failed forms': { kind: 'form', view, sent: false },
    faults: outcome(view, [app]),
    'later faults': { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: [app] },
    'slow pages': { kind: 'vitals', view, lcp: 60_000, inp: 10_000 },
  };
  return attack === 'all of them' ? Object.values(reports) : [reports[attack]];
}

/** Makes the live version look better than it is. */
const flattering = (view: SignalView): Report[] => [
  outcome(view),
  { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: [] },
  { kind: 'vitals', view, lcp: 100, inp: 10 },
  { kind: 'form', view, sent: true },
];

/** Earlier reports of honest visitors. */
function startedState(against: Against, random: Random): JudgementState {
  const sketch = (ms: number): Sketch => {
    const counts = new Map<number, number>();
    for (let view = 0; view < RECORD_VIEWS * TELLS_VITALS; view++) {
      const bucket = sketchBucket(timeAround(random, ms));
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
    return [...counts].sort(([a], [b]) => a - b);
  };
  const views = () => ({ views: RECORD_VIEWS, faults: random.binomial(RECORD_VIEWS, FAULTS) });
  const forms = RECORD_VIEWS * SENDS_FORM;
  const sums = (): SignalSums => {
    const formsFailed = random.binomial(forms, FORMS_FAIL);
    return {
      first: views(),
      later: views(),
      formsSent: forms - formsFailed,
      formsFailed,
      lcp: sketch(1_000),
      inp: sketch(80),
    };
  };
  const record = new Map(routes.map((route) => [route, sums()]));
  const limits = recordLimits(record, against);
  const plan = {
    against,
    apps: 1,
    routes,
    ...(against === 'record' && { record: recordedAnswers(record, limits) }),
  };
  return { format: STATE_FORMAT, limits, comparison: startComparison(plan) };
}
