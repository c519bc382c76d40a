import { randomUUID } from 'node:crypto';
import type { CaptchaChallenge } from '@site/contract';
import type { Database } from '@site/server/open-database';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { HOUR_MS } from '@site/server/durations';
import { createCounters } from '../kernel/counters.ts';
import { formsMigrations } from '../migrations.ts';
import { createSecrets } from '../kernel/secrets.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { solveGivenChallenge } from '../testing/solve-captcha.ts';
import { createCaptcha } from './captcha.ts';

// A fixed number of tries, so that the work can be read from the solution.
const config = { cost: 1, fewestTries: 10, mostTries: 10, lifetime: 600, perHour: 5 };

describe('the captcha', () => {
  let server: TestDatabase;
  let database: Database;
  let now = Date.parse('2026-03-01T12:00:00Z');
  beforeAll(async () => {
    server = await startDatabase();
    ({ database } = server);
    await database.migrate('forms', formsMigrations);
  });
  afterAll(() => server.stop());

  /** Another instance on the same database. */
  const instance = (differing: Partial<typeof config> = {}) => {
    const db = database.schema<FormsTables>('forms');
    const readSecret = createSecrets(db);
    return createCaptcha(
      { ...config, ...differing },
      { secret: () => readSecret('captcha'), counters: createCounters(db, readSecret), now: () => now },
    );
  };
  const solveWork = async (challenge: CaptchaChallenge) => {
    const solution = JSON.parse(Buffer.from(await solveGivenChallenge(challenge), 'base64').toString()) as {
      solution: { counter: number };
    };
    return solution.solution.counter;
  };
  const ask = async (address: string, times: number) => {
    const work: number[] = [];
    for (let time = 0; time < times; time++) work.push(await solveWork(await instance().challenge(address)));
    return work;
  };

  test('costs a network more with each request, at most eight times as much, across all instances, for an hour', async () => {
    const fives = (work: number) => Array<number>(5).fill(work);
    expect(await ask('10.1.0.1', 30)).toEqual([10, 20, 40, 80, 80, 80].flatMap(fives));
    expect(await ask('10.1.0.2', 1)).toEqual([10]);
    now += HOUR_MS;
    expect(await ask('10.1.0.1', 1)).toEqual([10]);
  });

  test('costs all addresses of one household the same', async () => {
    await ask('2001:db8:1:2::1', 5);
    expect(await ask('2001:db8:1:2:ffff::9', 1)).toEqual([20]);
    expect(await ask('2001:db8:1:3::1', 1)).toEqual([10]);
  });

  test('rises three times as fast for wrong solutions', async () => {
    const address = '10.2.0.1';
    for (const wrong of ['e30=', 'e30=']) await expect(instance().check(wrong, address)).rejects.toThrow();
    expect(await ask(address, 1)).toEqual([20]);
  });

  test('can be solved at any cost, and is valid until its expiry', async () => {
    const address = `10.3.0.${Math.floor(Math.random() * 250)}`;
    await ask(address, 40);
    const captcha = await solveGivenChallenge(await instance().challenge(address));
    expect(await instance().check(captcha, randomUUID())).toMatchObject({
      expires_at: new Date(Math.floor(now / 1000) * 1000 + 600_000),
    });
  });

  test('never rises if the limit is 0', async () => {
    for (let time = 0; time < 12; time++) {
      expect(await solveWork(await instance({ perHour: 0 }).challenge('10.4.0.1'))).toBe(10);
    }
  });
});
