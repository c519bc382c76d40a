import { CaptchaSolutionSchema, type CaptchaChallenge } from '@site/contract';
import { clientNetwork } from '@site/server/client-address';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as v from 'valibot';
import { HOUR_MS } from '@site/server/durations';
import type { Counters } from '../kernel/counters.ts';
import { formsErrors } from '../kernel/errors.ts';

export interface CaptchaConfig {
  cost: number;
  fewestTries: number;
  mostTries: number;
  lifetime: number;
  /**
   * Challenges per network and hour at the base cost. The cost doubles with each further batch of this size.
   * 0 disables the increase.
   */
  perHour: number;
}

export interface SolvedChallenge {
  id: string;
  expires_at: Date;
}

/**
 * The captcha: a proof of work that the browser does in the background. The caller spends the solution when
 * it stores the form.
 */
export interface Captcha {
  challenge(address: string): Promise<CaptchaChallenge>;
  /** @throws ApiError `captcha_invalid` */
  check(captcha: string, address: string): Promise<SolvedChallenge>;
}

/** At most eight times the work: some seconds on a slow phone. */
const MAX_DOUBLINGS = 3;
/** A wrong solution counts as this many challenges. */
const FAILURE_COST = 3;

/** @throws ApiError `captcha_invalid` */
export function captchaInvalid(message: string) {
  return formsErrors.captcha_invalid(message, { source: { pointer: '/form_fields/captcha' } });
}

export function createCaptcha(
  { cost, fewestTries, mostTries, lifetime, perHour }: CaptchaConfig,
  { secret, counters, now }: { secret: () => Promise<string>; counters: Counters; now: () => number },
): Captcha {
  const count = (address: string, times: number) =>
    counters.add(
      { name: 'captchas', subject: clientNetwork(address), periodMs: HOUR_MS },
      new Date(now()),
      times,
    );
  const factor = async (address: string): Promise<number> => {
    if (perHour === 0) return 1;
    const { count: challenges } = await count(address, 1);
    return 2 ** Math.min(MAX_DOUBLINGS, Math.floor((challenges - 1) / perHour));
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
        // A known solution bounds the work and makes verification cheap.
        counter: randomInt(mostTries * times, fewestTries * times),
        deriveKey,
        // altcha's own `expiresAt` uses the machine's time, not the injected one.
        data: { expires_at: Math.floor(now() / 1000) + lifetime },
        ...(await secrets()),
      });
      return challenge as CaptchaChallenge;
    },

    async check(captcha, address) {
      if (captcha === '') throw captchaInvalid('There is no solution.');
      const given = v.safeParse(CaptchaSolutionSchema, parseBase64(captcha));
      const verified =
        given.success &&
        (await verifySolution({ ...given.output, deriveKey, ...(await secrets()) })).verified;
      if (!verified) {
        if (perHour > 0) await count(address, FAILURE_COST);
        throw captchaInvalid(given.success ? 'The solution is wrong.' : 'The solution cannot be read.');
      }
      const { nonce, data } = given.output.challenge.parameters;
      if (data.expires_at * 1000 < now()) throw captchaInvalid('The challenge has expired.');
      return { id: nonce, expires_at: new Date(data.expires_at * 1000) };
    },
  };
}

function parseBase64(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}
