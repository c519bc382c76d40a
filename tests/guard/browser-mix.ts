/**
 * The share of Safari grows, in which more views fail and pages are slower in both versions. Uses an edge's real
 * counters, the registry's evaluation and the guard. Both versions are equal, unless one engine has a fault.
 */
import { createSignalHarness, outcome } from '@site/edge/testing/signal-harness';
import { startComparison } from '@site/guard/comparison';
import { judge } from '@site/guard/judge';
import type { Against } from '@site/guard/questions';
import { seededRandom, type Random } from '@site/guard/testing/seeded-random';
import { evaluate, type Verdict } from '@site/guard/verdict';
import type { BrowserEngine } from '@site/contract/signals/fault';
import type { Report, SignalView } from '@site/contract/signals/report.schema';
import { sketchBucket, type Sketch } from '@site/contract/signals/sketch';
import {
  answersIn,
  recordLimits,
  recordedAnswers,
  seenEngines,
  STATE_FORMAT,
  type JudgementState,
} from '@site/registry/signals/judgement';
import { addSums, noSums, type JudgedSums, type SignalSums } from '@site/registry/signals/signal-sums';
import { pick, timeAround } from './one-address.ts';

export interface Mixed {
  /** `live`: a canary with half of the visitors. `record`: a release. */
  against: Against;
  viewsPerMinute: number;
  minutes: number;
  /** Safari's share of the visitors, by minute; a tenth in the record. */
  safari: (minute: number) => number;
  /** The engine in which every view of the judged version fails. */
  failsIn?: BrowserEngine;
  seed: number;
}

export interface Outcome {
  /** When the version was found bad, in seconds. */
  ended: number | undefined;
  /** The number of views of the judged version by then. */
  views: number;
  verdict: Verdict;
}

/** A browser with its usual faults and times, equal in both versions. */
interface Browser {
  engine: BrowserEngine;
  userAgent: string;
  faults: number;
  formsFail: number;
  times: { lcp: number; inp: number; interactive: number };
}

const chrome: Browser = {
  engine: 'chromium',
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  faults: 0.002,
  formsFail: 0.02,
  times: { lcp: 1_000, inp: 80, interactive: 1_200 },
};
const firefox: Browser = {
  ...chrome,
  engine: 'gecko',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
/** Newer versions report LCP and INP. */
const safari: Browser = {
  engine: 'webkit',
  userAgent:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  faults: 0.15,
  formsFail: 0.06,
  times: { lcp: 1_700, inp: 140, interactive: 2_200 },
};
const browsers = [chrome, firefox, safari];
const OF_THE_OTHERS_FIREFOX = 0.2;
const RECORDED_SAFARI = 0.1;

const app = 'mfe-blocks';
const routes = ['/blocks', '/blocks/auth'];
const STEP_SECONDS = 10;
const NETWORKS = 3_000;
const SENDS_FORM = 0.03;
const TELLS_VITALS = 0.6;
const RECORD_VIEWS = 10_000;

export async function changeBrowserMix(mixed: Mixed): Promise<Outcome> {
  const { against, viewsPerMinute, minutes, failsIn, seed } = mixed;
  const random = seededRandom(seed);
  const site = createSignalHarness();
  const live = site.view().version;
  const version = against === 'live' ? site.canaryVersion : live;
  const judged = { app, version, control: live };
  let state = startedState(against, random);
  let verdict = evaluate(state.comparison);
  let read = 0;
  let views = 0;
  for (let second = 0; second < minutes * 60; second += STEP_SECONDS) {
    site.pass(STEP_SECONDS * 1_000);
    for (let view = random.poisson((viewsPerMinute * STEP_SECONDS) / 60); view > 0; view--) {
      const network = Math.floor(random.next() * NETWORKS);
      const seen = against === 'live' && random.next() < 0.5 ? site.canaryVersion : live;
      if (seen === version) views++;
      const isSafari = random.next() < mixed.safari(second / 60);
      const browser = isSafari ? safari : random.next() < OF_THE_OTHERS_FIREFOX ? firefox : chrome;
      const fails = seen === version && browser.engine === failsIn;
      const of = site.view({ version: seen, route: pick(random, routes) });
      site.send(makeReports(of, browser, fails, random), {
        caller: `10.${network >> 8}.${network & 255}.1`,
        release: seen === live ? 'r1' : 'r2',
        userAgent: browser.userAgent,
      });
    }
    await site.counter.tick();
    for (const { cells } of site.batches.slice(read)) {
      const comparison = judge(state.comparison, answersIn(cells, judged, state));
      state = { ...state, comparison };
    }
    read = site.batches.length;
    verdict = evaluate(state.comparison);
    if (verdict.is === 'bad' && !verdict.sharedService)
      return { ended: second + STEP_SECONDS, views, verdict };
  }
  return { ended: undefined, views, verdict };
}

function makeReports(view: SignalView, browser: Browser, fails: boolean, random: Random): Report[] {
  const { faults, formsFail, times } = browser;
  const faulty = () => (random.next() < faults ? [app] : []);
  return [
    outcome(view, fails ? [app] : faulty()),
    { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: faulty() },
    ...(random.next() < TELLS_VITALS
      ? [
          {
            kind: 'vitals',
            view,
            lcp: timeAround(random, times.lcp),
            inp: timeAround(random, times.inp),
            interactive: timeAround(random, times.interactive),
          } as const,
        ]
      : []),
    ...(random.next() < SENDS_FORM
      ? [{ kind: 'form', view, sent: random.next() >= formsFail } as const]
      : []),
  ];
}

/** The baseline: a tenth of the visitors have Safari. */
function startedState(against: Against, random: Random): JudgementState {
  const record = new Map(routes.map((route) => [route, recordedSums(random)]));
  const limits = recordLimits(record, against);
  const plan = {
    against,
    apps: 1,
    routes,
    ...(against === 'record' && { record: recordedAnswers(record, limits), seen: seenEngines(record, 20) }),
  };
  return { format: STATE_FORMAT, limits, comparison: startComparison(plan) };
}

const parts = new Map([
  [chrome, (1 - RECORDED_SAFARI) * (1 - OF_THE_OTHERS_FIREFOX)],
  [firefox, (1 - RECORDED_SAFARI) * OF_THE_OTHERS_FIREFOX],
  [safari, RECORDED_SAFARI],
]);

function recordedSums(random: Random): SignalSums {
  return browsers.reduce<SignalSums>((sums, { engine, faults, formsFail, times }) => {
    const views = Math.round(
      RECORD_VIEWS * (parts.get(browsers.find((each) => each.engine === engine)!) ?? 0),
    );
    const forms = Math.round(views * SENDS_FORM);
    const formsFailed = random.binomial(forms, formsFail);
    const faulty = () => ({ views, faults: random.binomial(views, faults) });
    const sketch = (ms: number): Sketch => {
      const counts = new Map<number, number>();
      for (let view = 0; view < views * TELLS_VITALS; view++) {
        const bucket = sketchBucket(timeAround(random, ms));
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      }
      return [...counts].sort(([a], [b]) => a - b);
    };
    const own: JudgedSums = {
      first: faulty(),
      later: faulty(),
      formsSent: forms - formsFailed,
      formsFailed,
      lcp: sketch(times.lcp),
      inp: sketch(times.inp),
      interactive: sketch(times.interactive),
    };
    return addSums(sums, { ...own, engines: { [engine]: own } });
  }, noSums);
}
