import type { Challenge, Solution } from 'altcha-lib/types';
import type { Request } from './request.ts';

export type SolveCaptcha = () => Promise<string | null>;

export interface CaptchaDependencies {
  base: string;
  request: Request;
  solve: (challenge: Challenge) => Promise<Solution | null>;
}

function challengeIn(data: unknown): Challenge | null {
  const { attributes } = (data ?? {}) as { attributes?: { challenge?: Challenge } };
  return attributes?.challenge ?? null;
}

export function createSolveCaptcha({ base, request, solve }: CaptchaDependencies): SolveCaptcha {
  return async () => {
    const challenge = challengeIn((await request(`${base}captcha`)).data);
    const solution = challenge && (await solve(challenge));
    // The format of altcha's verification. All of it is ASCII.
    return solution && btoa(JSON.stringify({ challenge, solution }));
  };
}
