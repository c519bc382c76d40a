/** @jest-environment node */
import { createChallenge, verifySolution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { createSolveCaptcha } from './captcha.ts';
import type { Request } from './request.ts';

const answering = (data: unknown): Request =>
  jest.fn(() =>
    Promise.resolve({ ok: true, status: 200, statusText: '', headers: new Headers(), data, errors: [] }),
  );

test('gets a challenge and returns a solution that the service accepts', async () => {
  const made = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 3,
    deriveKey,
    hmacSignatureSecret: 'secret',
  });
  const request = answering({ attributes: { challenge: made } });
  const solve = createSolveCaptcha({
    base: 'https://forms.test/',
    request,
    solve: (challenge) => solveChallenge({ challenge, deriveKey }),
  });
  const captcha = await solve();
  expect(request).toHaveBeenCalledWith('https://forms.test/captcha');
  const { challenge, solution } = JSON.parse(atob(captcha ?? '')) as {
    challenge: Challenge;
    solution: { counter: number; derivedKey: string };
  };
  expect(
    await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: 'secret' }),
  ).toMatchObject({ verified: true });
});

test.each([[null], [{ attributes: {} }], ['text']])(
  'is null if the service responds with %j',
  async (data) => {
    const solve = jest.fn();
    const captcha = createSolveCaptcha({ base: 'https://forms.test/', request: answering(data), solve });
    expect(await captcha()).toBeNull();
    expect(solve).not.toHaveBeenCalled();
  },
);

test('is null if the challenge cannot be solved', async () => {
  const captcha = createSolveCaptcha({
    base: 'https://forms.test/',
    request: answering({ attributes: { challenge: { parameters: {} } } }),
    solve: () => Promise.resolve(null),
  });
  expect(await captcha()).toBeNull();
});
