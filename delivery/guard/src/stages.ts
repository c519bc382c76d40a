import { allFinite } from './finite.ts';
import { missingFor, more } from './sentence.ts';
import type { Verdict } from './verdict.ts';

/** A canary that is shown to more visitors by itself. */
export interface StagePlan {
  /** Parts of the visitors, of 1, rising, such as 0.01, 0.1, 0.5 and 1. */
  parts: readonly number[];
  /** How long each lasts at least, in ms. */
  everyMs: number;
}

/** Where it stands. */
export interface Stage {
  part: number;
  /** For how long it has been shown to this part, in ms. */
  sinceMs: number;
  /** How many views of the canary, and of how many networks, this part has brought. */
  views: number;
  networks: number;
  /** Null: nothing that it changes is judged, such as the configuration. */
  verdict: Verdict | null;
}

export type Step =
  /** `part` 1: promote it. */
  | { do: 'raise'; part: number }
  | { do: 'wait'; why: string }
  /** Bad: the share is not raised any more, whoever ends the canary. */
  | { do: 'stop'; why: string }
  /** Everyone has it. */
  | { do: 'nothing' };

/**
 * Without a verdict yet, this many views and networks at one stage, and nothing suspected, are enough for the next one; not for the step
 * to everyone. They are few: a version that fails for three in a hundred may show nothing in a hundred views.
 */
export const ENOUGH_FOR_A_STEP = { views: 100, networks: 10 };

/** What to do with a staged canary now. */
export function nextStep(stages: StagePlan, stage: Stage): Step {
  const { verdict, ...numbers } = stage;
  allFinite({ ...numbers, everyMs: stages.everyMs }, 'A stage');
  if (verdict?.is === 'bad') return { do: 'stop', why: 'the version is bad' };
  const part = stages.parts.find((each) => each > stage.part);
  if (part === undefined) return { do: 'nothing' };
  if (stage.sinceMs < stages.everyMs)
    return { do: 'wait', why: `${seconds(stages.everyMs - stage.sinceMs)} s of this share are left` };
  if (verdict?.is === 'good') return { do: 'raise', part };
  if (verdict?.suspected)
    return { do: 'wait', why: 'something looks bad, and more visitors have to show it' };
  if (verdict && part === 1)
    return {
      do: 'wait',
      why:
        `everyone gets it when its verdict is good, which still takes ${missingFor(verdict.lacking)}, ` +
        'or when a person promotes it ("npx site promote")',
    };
  const views = ENOUGH_FOR_A_STEP.views - stage.views;
  if (views > 0)
    return { do: 'wait', why: `${more(views, 'view')} with this share ${views === 1 ? 'is' : 'are'} needed` };
  const networks = ENOUGH_FOR_A_STEP.networks - stage.networks;
  if (networks > 0) return { do: 'wait', why: `views from ${more(networks, 'network')} are needed` };
  return { do: 'raise', part };
}

const seconds = (ms: number) => Math.ceil(ms / 1_000);
