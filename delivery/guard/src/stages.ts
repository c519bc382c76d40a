import { allFinite } from './finite.ts';
import { missingFor, more } from './sentence.ts';
import type { Verdict } from './verdict.ts';

export interface StagePlan {
  parts: readonly number[];
  everyMs: number;
}

export interface Stage {
  part: number;
  sinceMs: number;
  views: number;
  networks: number;
  verdict: Verdict | null;
}

export type Step =
  /** `part` 1: promote it. */
  | { do: 'raise'; part: number }
  | { do: 'wait'; why: string }
  | { do: 'stop'; why: string }
  /** Complete: everyone has it. */
  | { do: 'nothing' };

/**
 * Without a verdict yet, this many views and networks in a stage allow the next one if nothing is suspected; not the
 * step to everyone. The numbers are low: a version that fails in 3 % of views may show no fault in a hundred.
 */
export const ENOUGH_FOR_A_STEP = { views: 100, networks: 10 };

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
        'or when a person promotes it ("npx @site/cli promote")',
    };
  const views = ENOUGH_FOR_A_STEP.views - stage.views;
  if (views > 0)
    return { do: 'wait', why: `${more(views, 'view')} with this share ${views === 1 ? 'is' : 'are'} needed` };
  const networks = ENOUGH_FOR_A_STEP.networks - stage.networks;
  if (networks > 0) return { do: 'wait', why: `views from ${more(networks, 'network')} are needed` };
  return { do: 'raise', part };
}

const seconds = (ms: number) => Math.ceil(ms / 1_000);
