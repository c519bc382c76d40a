import { CaptchaSolutionSchema } from '@site/contract';
import type { CaptchaChallenge } from '@site/contract';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as v from 'valibot';
import { formsErrors } from '../errors.ts';

/** How much work a captcha asks for. The visitor's device tries `fewestTries` to `mostTries` keys of `cost` rounds. */
export interface CaptchaConfig {
  cost: number;
  fewestTries: number;
  mostTries: number;
  /** Seconds that a challenge may be solved and sent in. */
  lifetime: number;
}

/** A challenge whose solution was right. */
export interface SolvedChallenge {
  id: string;
  expires_at: Date;
}

/** The captcha: a proof of work that the visitor's browser does unseen. Spending a solution is up to who stores the form. */
export interface Captcha {
  challenge(): Promise<CaptchaChallenge>;
  /** @throws ApiError `captcha_invalid` */
  check(captcha: string): Promise<SolvedChallenge>;
}

/** @throws ApiError `captcha_invalid`, saying why. */
export function captchaInvalid(what: string) {
  return formsErrors.captcha_invalid(what, { source: { pointer: '/form_fields/captcha' } });
}

export function createCaptcha(
  { cost, fewestTries, mostTries, lifetime }: CaptchaConfig,
  { secret, now }: { secret: () => Promise<string>; now: () => number },
): Captcha {
  const secrets = async () => {
    const hmacSignatureSecret = await secret();
    return { hmacSignatureSecret, hmacKeySignatureSecret: `${hmacSignatureSecret}.key` };
  };
  return {
    async challenge() {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        // With a known answer the work is bounded, and checking it costs next to nothing.
        counter: randomInt(mostTries, fewestTries),
        deriveKey,
        // Not altcha's own `expiresAt`: that one knows only the clock of the machine.
        data: { expires_at: Math.floor(now() / 1000) + lifetime },
        ...(await secrets()),
      });
      return challenge as CaptchaChallenge;
    },

    async check(captcha) {
      if (captcha === '') throw captchaInvalid('There is no solution.');
      const given = v.safeParse(CaptchaSolutionSchema, jsonIn(captcha));
      if (!given.success) throw captchaInvalid('The solution cannot be read.');
      const { verified } = await verifySolution({ ...given.output, deriveKey, ...(await secrets()) });
      if (!verified) throw captchaInvalid('The solution is wrong.');
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
