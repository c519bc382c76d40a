import fc from 'fast-check';
import { resources, type Disturbance } from './unsteady-network.ts';

/** One act of a visitor, or of the network. `pick` selects among the links or fields of the page. */
export type Step =
  | { do: 'visit'; path: string }
  | { do: 'link' | 'anchor' | 'hover'; pick: number }
  | { do: 'back' | 'forward' | 'reload' | 'discard' }
  | { do: 'type'; pick: number; number: number }
  /** `isLate`: the response for the corrected words arrives after Enter. */
  | { do: 'search'; words: string; choose: boolean; corrected: string | null; isLate: boolean }
  | { do: 'scroll'; percent: number }
  | ({ do: 'disturb' } & Disturbance)
  | { do: 'pause'; ms: number }
  | { do: 'look' }
  /** Ends all disturbances, waits until the page has settled, and checks the invariants. */
  | { do: 'settle' };

export interface Walk {
  start: string;
  steps: Step[];
}

/** Prefers pages with forms, lazy parts and anchors. */
const path = fc.constantFrom(
  ...['/partners', '/partners', '/agencies', '/agencies', '/developers', '/start', '/blocks', '/home'],
);
const pick = fc.nat({ max: 99 });
const words = fc.constantFrom('auth', 'pricing', 'forms', 'search');
const disturbance = fc.record({
  resource: fc.constantFrom(...(Object.keys(resources) as (keyof typeof resources)[])),
  effect: fc.constantFrom('hold', 'hold', 'abort', 'unavailable', 'delay'),
  times: fc.integer({ min: 1, max: 3 }),
});

const act = <Kind extends Step['do']>(kind: Kind) => fc.constant({ do: kind });
const scroll = fc.record({ do: fc.constant('scroll' as const), percent: fc.integer({ min: 5, max: 100 }) });
const pause = fc.record({ do: fc.constant('pause' as const), ms: fc.integer({ min: 1, max: 800 }) });
const visit = fc.record({ do: fc.constant('visit' as const), path });
const late = disturbance.map((each) => ({ do: 'disturb' as const, ...each }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: visit },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('link'), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('anchor'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hover'), pick }) },
  { weight: 4, arbitrary: act('back') },
  { weight: 1, arbitrary: act('forward') },
  { weight: 2, arbitrary: act('reload') },
  { weight: 1, arbitrary: act('discard') },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('type'), pick, number: fc.nat({ max: 99 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('search'),
      words,
      choose: fc.boolean(),
      corrected: fc.option(words),
      isLate: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: scroll },
  { weight: 5, arbitrary: late },
  { weight: 2, arbitrary: pause },
  { weight: 4, arbitrary: act('look') },
  { weight: 2, arbitrary: act('settle') },
);

const leave = fc.oneof(act('back'), act('reload'), act('discard'), visit);

/** Sequences that random steps seldom produce: an impatient visitor with late or failed requests. */
const phrase: fc.Arbitrary<Step[]> = fc.oneof(
  step.map((single) => [single]),
  fc.tuple(act('settle'), late, fc.oneof(act('reload'), act('discard')), pause, step, leave, act('settle')),
  fc.tuple(act('look'), late, step, visit, pause, step),
  fc.tuple(act('settle'), scroll, step, leave, step, leave, act('settle')),
);

export const walk: fc.Arbitrary<Walk> = fc.record({
  start: path,
  steps: fc.array(phrase, { minLength: 4, maxLength: 7, size: 'max' }).map((phrases) => phrases.flat()),
});
