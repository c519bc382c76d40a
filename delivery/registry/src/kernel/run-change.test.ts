import { forEachTest } from '@site/server/testing/for-each-test';
import { appendAudit, listAuditEvents } from './audit.repository.ts';
import { registryErrors } from './registry-errors.ts';
import { createHarness, registryTables } from '../testing/harness.ts';
import type { Command } from './command.ts';
import { runChange, type Change } from './run-change.ts';

const registry = forEachTest(createHarness);

const subjects = async () => {
  const events = await listAuditEvents(registryTables(registry), { limit: 50, before: 1_000_000 });
  return events.filter(({ action }) => action === 'test').map(({ subject }) => subject);
};

/** A command of the harness's ops token. */
function makeCommand(
  more: Partial<Command<object>> = {},
): Command<Parameters<typeof runChange>[0]['context']> {
  const context = { db: registryTables(registry), now: () => registry.clock.now };
  const actor = { tokenId: 'a token', name: 'olivia', scopes: ['ops' as const] };
  return { actor, key: null, requestDigest: 'one', dryRun: false, ...more, context };
}

/** A change that records its steps and adds one audit entry. */
function noting(steps: string[], more: Partial<Change<string, string, string, { made: string }>> = {}) {
  const note = <T>(step: string, result: T): T => {
    steps.push(step);
    return result;
  };
  return {
    read: () => Promise.resolve(note('read', 'seen')),
    decide: (seen: string) => note(`decide on ${seen}`, 'plan'),
    check: (_: unknown, plan: string) => Promise.resolve(note(`check ${plan}`, undefined)),
    prepare: (plan: string) => Promise.resolve(note(`prepare ${plan}`, 'ready')),
    hasMoved: () => Promise.resolve(note('look again', false)),
    async write(writing, plan, ready) {
      note(`write ${plan} ${ready}`, undefined);
      await appendAudit(writing, { action: 'test', subject: `${plan} by ${writing.by}`, details: {} });
      return { body: { made: plan }, created: true };
    },
    ...more,
  } satisfies Change<string, string, string, { made: string }>;
}

test('a change is read, decided, checked and prepared before the locks, and rechecked under them', async () => {
  const steps: string[] = [];
  const answer = await runChange(makeCommand(), noting(steps));
  expect(answer).toEqual({ status: 201, body: { made: 'plan' }, replayed: false });
  expect(steps).toEqual([
    'read',
    'decide on seen',
    'check plan',
    'prepare plan',
    'look again',
    'check plan',
    'write plan ready',
  ]);
  expect(await subjects()).toEqual(['plan by olivia']);
});

test('a change without preparation is decided once, under the locks', async () => {
  const steps: string[] = [];
  const { prepare, ...short } = noting(steps);
  await runChange(makeCommand(), short);
  expect(prepare).toBeDefined();
  expect(steps).toEqual(['read', 'decide on seen', 'check plan', 'write plan undefined']);
});

test('an outdated plan is read, decided and prepared again, without traces of the first attempt', async () => {
  const steps: string[] = [];
  let rounds = 0;
  const change = noting(steps, {
    decide: () => `plan ${(rounds += 1)}`,
    hasMoved: () => Promise.resolve(rounds < 3),
  });
  expect((await runChange(makeCommand(), change)).body).toEqual({ made: 'plan 3' });
  expect(steps.filter((step) => step.startsWith('prepare'))).toEqual([
    'prepare plan 1',
    'prepare plan 2',
    'prepare plan 3',
  ]);
  expect(await subjects()).toEqual(['plan 3 by olivia']);
});

test('a change that is forbidden during preparation is rejected and not retried', async () => {
  const steps: string[] = [];
  let isFrozen = false;
  const change = noting(steps, {
    check() {
      if (isFrozen) throw registryErrors.frozen('It is frozen.');
      return Promise.resolve();
    },
    prepare() {
      isFrozen = true;
      return Promise.resolve('ready');
    },
  });
  await expect(runChange(makeCommand(), change)).rejects.toMatchObject({ code: 'frozen' });
  expect(steps).toEqual(['read', 'decide on seen', 'look again']);
  expect(await subjects()).toEqual([]);
});

test('a failed write leaves nothing, and its key can be reused', async () => {
  const command = makeCommand({ key: 'k' });
  const broken = noting([], {
    async write(writing) {
      await appendAudit(writing, { action: 'test', subject: 'half', details: {} });
      throw new Error('The power went.');
    },
  });
  await expect(runChange(command, broken)).rejects.toThrow('The power went.');
  expect(await subjects()).toEqual([]);
  expect(await runChange(command, noting([]))).toMatchObject({ status: 201, replayed: false });
});

test('a dry run performs all steps and leaves nothing', async () => {
  const steps: string[] = [];
  const answer = await runChange(makeCommand({ dryRun: true }), noting(steps));
  expect(answer).toEqual({ status: 200, body: { made: 'plan', dryRun: true }, replayed: false });
  expect(steps).toContain('write plan ready');
  expect(await subjects()).toEqual([]);
});

test('a key acts once, reads nothing the second time, and belongs to one request', async () => {
  const steps: string[] = [];
  const first = await runChange(makeCommand({ key: 'k' }), noting([]));
  const retry = await runChange(makeCommand({ key: 'k' }), noting(steps));
  expect(retry).toEqual({ ...first, replayed: true });
  expect(steps).toEqual([]);
  await expect(
    runChange(makeCommand({ key: 'k', requestDigest: 'two' }), noting(steps)),
  ).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect(await subjects()).toEqual(['plan by olivia']);
});

test('of two concurrent requests with one key, one acts and both get its response', async () => {
  const twin = noting([], {
    async prepare() {
      // The other one completes before this one reaches its locks.
      await runChange(makeCommand({ key: 'k' }), noting([]));
      return 'ready';
    },
  });
  const answer = await runChange(makeCommand({ key: 'k' }), twin);
  expect(answer).toEqual({ status: 201, body: { made: 'plan' }, replayed: true });
  expect(await subjects()).toEqual(['plan by olivia']);
});

test('an unchanged state is also stored', async () => {
  const nothing = noting([], { write: () => Promise.resolve({ body: { made: 'nothing' } }) });
  expect(await runChange(makeCommand({ key: 'k' }), nothing)).toMatchObject({ status: 200, replayed: false });
  expect(await runChange(makeCommand({ key: 'k' }), noting([]))).toEqual({
    status: 200,
    body: { made: 'nothing' },
    replayed: true,
  });
});

test('edges are notified of committed changes only', async () => {
  const heard: string[] = [];
  let wake: () => void;
  const told = new Promise<void>((resolve) => (wake = resolve));
  const stop = await registry.database.listen('registry_channel_changed', (channel) => {
    heard.push(channel);
    wake();
  });
  const telling = noting([], {
    write: () =>
      Promise.resolve({
        body: { made: 'x' },
        notices: [{ name: 'registry_channel_changed', payload: 'staging' }],
      }),
  });
  await runChange(makeCommand({ dryRun: true }), telling);
  await runChange(makeCommand(), telling);
  await told;
  await stop();
  expect(heard).toEqual(['staging']);
});
