import { arrival, waitFor } from './wait-for.ts';

test('a check is repeated until it passes, and its value is returned', async () => {
  const answers: (string | null)[] = [null, null, 'r2'];
  await expect(waitFor(() => answers.shift() ?? null)).resolves.toBe('r2');
});

test('a check that never passes fails with its text and its last error', async () => {
  let calls = 0;
  const wait = waitFor(() => expect((calls += 1)).toBe(-1), { limitMs: 20 });
  await expect(wait).rejects.toThrow(
    /^Timed out after 0\.02 s waiting for: .*toBe\(-1\)[^]*Expected:.*-1[^]*Received:/,
  );
});

test('a check that never resolves fails at the limit', async () => {
  const never = new Promise<boolean>(() => undefined);
  const wait = waitFor(() => never, { description: 'the edge to answer', limitMs: 20 });
  await expect(wait).rejects.toThrow('waiting for: the edge to answer');
});

test('an event that never arrives fails with its description', async () => {
  await expect(arrival('the socket to close', new Promise(() => undefined), 20)).rejects.toThrow(
    'Timed out after 0.02 s waiting for: the socket to close',
  );
  await expect(arrival('the answer', Promise.resolve(false))).resolves.toBe(false);
});
