import { oneAtATime } from './one-at-a-time.ts';

/** Work whose first run ends on demand and later ones after some steps, with counters of concurrent and total runs. */
function startWork() {
  let endFirst: (how: Promise<void>) => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const seen = { runs: 0, running: 0, most: 0 };
  const ask = oneAtATime(async () => {
    seen.runs += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    const run = seen.runs;
    try {
      if (run === 1) await first;
      else for (let step = 0; step < 10; step += 1) await Promise.resolve();
      return run;
    } finally {
      seen.running -= 1;
    }
  });
  return { ask, endFirst, seen };
}

test('calls during a run share the next run, which starts after them', async () => {
  const { ask, endFirst, seen } = startWork();
  const answers = [ask(), ask(), ask()];
  expect(seen.runs).toBe(1);
  endFirst(Promise.resolve());
  expect(await Promise.all(answers)).toEqual([1, 2, 2]);
  expect(seen.runs).toBe(2);
});

test('calls between two runs share the next run', async () => {
  const { ask, endFirst, seen } = startWork();
  const answers = [ask(), ask()];
  endFirst(Promise.resolve());
  // At each step between the end of one run and the start of the next.
  while (seen.runs < 2) {
    answers.push(ask());
    await Promise.resolve();
  }
  expect(answers.length).toBeGreaterThan(3);
  const [first, ...others] = await Promise.all(answers);
  expect([first, ...new Set(others)]).toEqual([1, 2]);
  expect(seen).toEqual({ runs: 2, running: 0, most: 1 });
});

test('a failed run does not block the next', async () => {
  const { ask, endFirst } = startWork();
  const answers = [ask(), ask()];
  endFirst(Promise.reject(new Error('broken')));
  expect(await Promise.allSettled(answers)).toMatchObject([{ status: 'rejected' }, { value: 2 }]);
});
