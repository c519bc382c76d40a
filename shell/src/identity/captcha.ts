import type { Challenge, Solution } from 'altcha-lib/types';
import type { Request } from './request.ts';

/** Gives the solution of a fresh captcha challenge, as a form sends it; null when none is available now. */
export type SolveCaptcha = () => Promise<string | null>;

export interface CaptchaDependencies {
  /** The base of the forms service. */
  base: string;
  request: Request;
  solve: (challenge: Challenge) => Promise<Solution | null>;
}

function challengeIn(data: unknown): Challenge | null {
  const { attributes } = (data ?? {}) as { attributes?: { challenge?: Challenge } };
  return attributes?.challenge ?? null;
}

/**
 * The captcha that no visitor sees: a proof of work. The forms service takes each solution once, so every try to send
 * needs its own.
 */
export function createSolveCaptcha({ base, request, solve }: CaptchaDependencies): SolveCaptcha {
  return async () => {
    const challenge = challengeIn((await request(`${base}captcha`)).data);
    const solution = challenge && (await solve(challenge));
    // The format that altcha's verification expects; all of it is ASCII.
    return solution && btoa(JSON.stringify({ challenge, solution }));
  };
}
