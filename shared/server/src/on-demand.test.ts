import { onDemand } from './on-demand.ts';

test('is created once for concurrent callers, and is available immediately afterwards', async () => {
  let finish: (value: string) => void = () => undefined;
  const make = jest.fn(() => new Promise<string>((resolve) => (finish = resolve)));
  const get = onDemand(make);
  expect(make).not.toHaveBeenCalled();
  const asked = [get(), get()];
  finish('made');
  for (const given of asked) expect(await given).toBe('made');
  expect(get()).toBe('made');
  expect(make).toHaveBeenCalledTimes(1);
});

test('is retried after a failure', async () => {
  const make = jest
    .fn<Promise<string>, []>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue('made');
  const get = onDemand(make);
  await expect(get()).rejects.toThrow('no');
  expect(await get()).toBe('made');
});
