import { finite } from './finite.ts';
import type { Verdict } from './verdict.ts';

export type Policy = 'act' | 'suggest' | 'off';

export interface Situation {
  policy: Policy;
  phase: 'canary' | 'release';
  sinceMs: number;
  verdict: Verdict;
  actedLast: boolean;
}

export interface Decision {
  do: 'act' | 'suggest' | 'nothing';
  why: string;
}

/** How long after a release the guard acts automatically. */
const ACTS_WITHIN_MS = 10 * 60_000;

export const JUDGED_WITHIN_MS = 60 * 60_000;

/**
 * The response to a verdict: end the canary, roll back, notify operators, or nothing. If acting is forbidden, it
 * becomes a suggestion, because the version is still bad. Freezes are checked later, when the guard acts like any
 * author.
 */
export function decide({ policy, phase, sinceMs, verdict, actedLast }: Situation): Decision {
  finite(sinceMs, 'The age of the release');
  if (policy === 'off') return { do: 'nothing', why: 'the policy is off' };
  if (verdict.is !== 'bad') return { do: 'nothing', why: 'the version is not shown to be bad' };
  if (phase === 'release' && sinceMs >= JUDGED_WITHIN_MS)
    return { do: 'nothing', why: 'the release is older than an hour' };
  if (policy === 'suggest') return { do: 'suggest', why: 'the policy is to suggest' };
  if (verdict.sharedService)
    return { do: 'suggest', why: 'the service behind the forms may be the cause, and a person has to look' };
  if (actedLast)
    return {
      do: 'suggest',
      why: 'the guard made the last change of this app, and a person has to look first',
    };
  if (phase === 'release' && sinceMs >= ACTS_WITHIN_MS)
    return { do: 'suggest', why: 'the release is older than ten minutes' };
  return {
    do: 'act',
    why: phase === 'canary' ? 'a canary is bad' : 'a release is bad in its first ten minutes',
  };
}
