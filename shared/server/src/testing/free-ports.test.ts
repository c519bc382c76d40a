import { freePorts } from './free-ports.ts';

test('concurrent callers get different ports', async () => {
  const chance = jest.spyOn(Math, 'random');
  for (let caller = 0; caller < 3; caller += 1) chance.mockReturnValueOnce(0.25);
  const given = await Promise.all([freePorts(), freePorts(), freePorts()]);
  chance.mockRestore();
  expect(new Set(given).size).toBe(3);
});
