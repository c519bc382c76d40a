import { createUploadTurns } from './upload-turns.ts';

test('of one token a few bodies are in memory at once, and those of others do not wait for them', async () => {
  const take = createUploadTurns();
  const ends = await Promise.all(Array.from({ length: 6 }, () => take('flood')));
  let isNext = false;
  const next = take('flood').then((end) => {
    isNext = true;
    return end;
  });
  (await take('other'))();
  expect(isNext).toBe(false);
  ends[0]?.();
  ends[0]?.();
  const end = await next;
  expect(isNext).toBe(true);
  for (const over of [...ends, end]) over();
});

test('more than may wait are refused, and what waits goes on', async () => {
  const take = createUploadTurns();
  const running = await Promise.all(Array.from({ length: 6 }, () => take('flood')));
  const waiting = Array.from({ length: 200 }, () => take('flood').then((end) => end()));
  await expect(take('flood')).rejects.toMatchObject({ code: 'rate_limited' });
  (await take('other'))();
  for (const end of running) end();
  await Promise.all(waiting);
  (await take('flood'))();
});
