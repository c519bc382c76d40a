import { HOUR_MS, MINUTE_MS } from '@site/server/durations';
import { createKeyRing } from './key-ring.ts';
import type { SigningKeyRow, SigningKeysRepository } from './signing-keys.repository.ts';

const begin = Date.parse('2026-03-01T12:00:00Z');

/** A key ring with an in-memory repository that fails while `isDown`. */
function setUp() {
  const state = { now: begin, isDown: false, loads: 0, rows: [] as SigningKeyRow[] };
  const repository: SigningKeysRepository = {
    async replace(decide) {
      state.loads += 1;
      if (state.isDown) throw new Error('The database does not respond.');
      const { add, remove } = decide(state.rows);
      state.rows = state.rows.filter(({ kid }) => !remove.includes(kid));
      if (add) state.rows = [...state.rows, await add()];
      return state.rows;
    },
  };
  const ring = createKeyRing({
    repository,
    now: () => state.now,
    rotateAfter: 24 * HOUR_MS,
    keepAfter: HOUR_MS,
  });
  return { state, ring };
}

test('a failed load is not cached: the next request loads again', async () => {
  const { state, ring } = setUp();
  state.isDown = true;
  const failed = await Promise.allSettled([ring.signer(), ring.signer()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // Both waited for one load.
  expect(state.loads).toBe(1);
  state.isDown = false;
  expect((await ring.signer()).kid).toBe(state.rows[0]?.kid);
});

test('a key is replaced at the rotation age, signs ten minutes later, and the old key is removed when no token needs it', async () => {
  const { state, ring } = setUp();
  const { kid: first } = await ring.signer();
  const signerAt = async (at: number) => {
    state.now = begin + at;
    return (await ring.signer()).kid;
  };
  const published = async () => (await ring.jwks()).keys.map(({ kid }) => kid);
  const rotated = 24 * HOUR_MS;
  expect(await signerAt(rotated - 1)).toBe(first);
  expect(await published()).toEqual([first]);
  // Keys are cached for a minute.
  expect(await signerAt(rotated - 1 + MINUTE_MS)).toBe(first);
  const [, second] = await published();
  expect(second).toBeDefined();
  const takesOver = rotated - 1 + 11 * MINUTE_MS;
  expect(await signerAt(takesOver - 1)).toBe(first);
  expect(await signerAt(takesOver)).toBe(second);
  await signerAt(takesOver + HOUR_MS);
  expect(await published()).toEqual([first, second]);
  await signerAt(takesOver + HOUR_MS + MINUTE_MS);
  expect(await published()).toEqual([second]);
});
