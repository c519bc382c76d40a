import { APP_ID_HEADER, type CaptchaChallenge } from '@site/contract';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { FastifyInstance } from 'fastify';

export const easyCaptcha = { cost: 1, fewestTries: 1, mostTries: 3, lifetime: 600, perHour: 0 };

/** Gets a challenge and returns its solution in the form's format. */
export async function solveCaptcha(app: FastifyInstance, appId: string = ''): Promise<string> {
  const answer = await app.inject({ url: '/captcha', headers: { [APP_ID_HEADER]: appId } });
  const { challenge } = answer.json<{ data: { attributes: { challenge: CaptchaChallenge } } }>().data
    .attributes;
  return solveGivenChallenge(challenge);
}

export async function solveGivenChallenge(challenge: CaptchaChallenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
