import { CaptchaSolutionSchema, type CaptchaChallenge } from '@site/contract';
import { networkOf } from '@site/server/client-address';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as v from 'valibot';
import { formsErrors } from '../errors.ts';
import { HOUR_MS } from '@site/server/durations';
import type { Counts } from '../limits/counts.ts';

/** How much work a captcha asks for. The visitor's device tries `fewestTries` to `mostTries` keys of `cost` rounds. */
export interface CaptchaConfig {
  cost: number;
  fewestTries: number;
  mostTries: number;
  /** Seconds that a challenge may be solved and sent in. */
  lifetime: number;
  /** Challenges that one network gets an hour at this cost; with each as many more it doubles. 0: it never rises. */
  perHour: number;
}

/** A challenge whose solution was right. */
export interface SolvedChallenge {
  id: string;
  expires_at: Date;
}

/** The captcha: a proof of work that the visitor's browser does unseen. Spending a solution is up to who stores the form. */
export interface Captcha {
  /** A challenge for a network address: the more it asked for or failed within the hour, the more work. */
  challenge(address: string): Promise<CaptchaChallenge>;
  /** @throws ApiError `captcha_invalid` */
  check(captcha: string, address: string): Promise<SolvedChallenge>;
}

/** Eight times the work at most: some seconds on a slow phone. */
const MOST_DOUBLINGS = 3;
/** How many challenges a wrong solution counts as. */
const FAILURE = 3;

/** @throws ApiError `captcha_invalid`, saying why. */
export function captchaInvalid(what: string) {
  return formsErrors.captcha_invalid(what, { source: { pointer: '/form_fields/captcha' } });
}

export function createCaptcha(
  { cost, fewestTries, mostTries, lifetime, perHour }: CaptchaConfig,
  { secret, counts, now }: { secret: () => Promise<string>; counts: Counts; now: () => number },
): Captcha {
  const use = (address: string, times: number) =>
    counts.add({ name: 'captchas', of: networkOf(address), within: HOUR_MS }, new Date(now()), times);
  const factor = async (address: string): Promise<number> => {
    if (perHour === 0) return 1;
    const { count } = await use(address, 1);
    return 2 ** Math.min(MOST_DOUBLINGS, Math.floor((count - 1) / perHour));
  };
  const secrets = async () => {
    const hmacSignatureSecret = await secret();
    return { hmacSignatureSecret, hmacKeySignatureSecret: `${hmacSignatureSecret}.key` };
  };
  return {
    async challenge(address) {
      const times = await factor(address);
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        // With a known answer the work is bounded, and checking it costs next to nothing.
        counter: randomInt(mostTries * times, fewestTries * times),
        deriveKey,
        // Not altcha's own `expiresAt`: that one knows only the clock of the machine.
        data: { expires_at: Math.floor(now() / 1000) + lifetime },
        ...(await secrets()),
      });
      return challenge as CaptchaChallenge;
    },

    async check(captcha, address) {
      if (captcha === '') throw captchaInvalid('There is no solution.');
      const given = v.safeParse(CaptchaSolutionSchema, jsonIn(captcha));
      const verified =
        given.success &&
        (await verifySolution({ ...given.output, deriveKey, ...(await secrets()) })).verified;
      if (!verified) {
        if (perHour > 0) await use(address, FAILURE);
        throw captchaInvalid(given.success ? 'The solution is wrong.' : 'The solution cannot be read.');
      }
      const { nonce, data } = given.output.challenge.parameters;
      if (data.expires_at * 1000 < now()) throw captchaInvalid('The challenge has expired.');
      return { id: nonce, expires_at: new Date(data.expires_at * 1000) };
    },
  };
}

function jsonIn(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}
