import { failOver } from './harness/database-failover.ts';

test('with synchronous replication, registry and services lose no acknowledged write and continue without a restart', async () => {
  const { readiness, acknowledged, lost } = await failOver({ synchronous: true });
  expect(readiness).toEqual(Array(3).fill([503, '5']));
  expect(acknowledged).toBeGreaterThan(180);
  expect(lost).toBe(0);
});
