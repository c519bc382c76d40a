import { finite } from './finite.ts';
import type { Verdict } from './verdict.ts';

/** What the guard may do for one app on one channel. */
export type Policy = 'act' | 'suggest' | 'off';

export interface Situation {
  policy: Policy;
  /** Is a canary judged, or what everyone has? */
  phase: 'canary' | 'release';
  /** Since it became live, in ms. */
  sinceMs: number;
  verdict: Verdict;
  /** The guard made the app's last change, and no person has made one since. */
  actedLast: boolean;
}

export interface Decision {
  do: 'act' | 'suggest' | 'nothing';
  why: string;
}

/** How long after a release the guard acts by itself. */
const ACTS_WITHIN_MS = 10 * 60_000;

/** How long after a release it is judged at all. */
export const JUDGED_WITHIN_MS = 60 * 60_000;

/**
 * What to do about a verdict: end the canary or roll back, tell a person, or nothing. What forbids acting leaves a suggestion, for the
 * version is bad all the same. A freeze is none of this: it forbids the guard what it forbids everyone, when it acts.
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
