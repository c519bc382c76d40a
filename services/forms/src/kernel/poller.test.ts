import { startPoller } from './poller.ts';

test('a failed run is logged, and later ones only if the error differs', async () => {
  const away = new Error('The database does not answer.');
  const full = new Error('The disk is full.');
  const runs = [away, away, full, null, full];
  const logged: unknown[] = [];
  await new Promise<void>((resolve) => {
    const stop = startPoller({
      run: () => {
        const error = runs.shift();
        if (runs.length === 0) void stop().then(resolve);
        return error ? Promise.reject(error) : Promise.resolve();
      },
      subject: 'the outbox',
      every: 1,
      log: { error: ({ err }: { err: unknown }) => logged.push(err) } as never,
    });
  });
  expect(logged).toEqual([away, full, full]);
});
