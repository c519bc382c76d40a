import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness, blocksVersion } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

/** r1 is live; version 2 of mfe-blocks is its canary r2 at 10 %. */
async function startCanary(): Promise<void> {
  await harness.registry.startSite();
  await harness.registry.publish(blocks(2));
  await harness.startEdge();
  await harness.site('activate', blocksVersion(2), '--canary', '10%');
}

test('a canary starts, grows and is promoted; each step waits for every edge', async () => {
  await harness.registry.startSite();
  await harness.registry.publish(blocks(2));
  await harness.startEdge();

  const started = await harness.site('activate', blocksVersion(2), '--canary', '10%');
  expect({ code: started.code, err: started.err }).toEqual({ code: 0, err: '' });
  expect(started.out).toContain('r2 is a canary on production');
  expect(started.out).toContain('canary: r2 of mfe-blocks is shown to 10 % of visitors');
  expect(started.out).toMatch(/every edge \(1\) serves it after \d+ ms/);

  const raised = await harness.site('canary', '25%');
  expect(raised.out).toContain('canary: r2 of mfe-blocks is shown to 25 % of visitors');
  expect(raised.out).toMatch(/every edge \(1\) serves it/);

  const promoted = await harness.site('promote', '--reason', 'no errors');
  expect(promoted.out).toContain('r3 is live on production');
  expect(promoted.out).toContain(`mfe-blocks ${blocks(1).version} → ${blocks(2).version}`);
  expect(promoted.out).toMatch(/every edge \(1\) serves it/);
  expect((await harness.site('status')).out).not.toContain('is its canary');
  const history = (await harness.site('history', 'mfe-blocks')).out.split('\n');
  expect(history[1]).toMatch(/^r3 .* promote .* no errors$/);
  expect(history[2]).toMatch(/^r2 .* canary /);
});

test('open tabs leave an aborted canary, and --quarantine quarantines it', async () => {
  await startCanary();
  const { code, out } = await harness.site('abort', '--quarantine', '--reason', 'it blinks');
  expect(code).toBe(0);
  expect(out).toContain('the canary has ended: its visitors see r1 of production');
  expect(out).toContain('open tabs leave: r2');
  expect(out).toContain(`quarantined: mfe-blocks@${blocks(2).version}`);
  expect(out).toMatch(/every edge \(1\) serves it/);
  expect((await harness.site('activate', blocksVersion(2))).err).toContain('(version_quarantined)');
});

test('a second canary is rejected while one runs', async () => {
  await startCanary();
  await harness.registry.publish(blocks(3));
  const { code, err } = await harness.site('activate', blocksVersion(2), '--canary', '5');
  expect(code).toBe(1);
  expect(err).toMatch(/r2[^]*\(canary_running\)/);
});

describe('a rollback while a canary of the same app runs', () => {
  // Version 2 is live as r2; version 3 is its canary r3.
  beforeEach(async () => {
    await harness.registry.startSite();
    for (const contents of [2, 3]) await harness.registry.publish(blocks(contents));
    await harness.startEdge();
    await harness.site('activate', blocksVersion(2));
    await harness.site('activate', blocksVersion(3), '--canary', '10%');
  });
  const because = ['--reason', 'it blinks'];

  test('without a version requires one', async () => {
    const { code, err } = await harness.site('rollback', 'mfe-blocks', ...because);
    expect(code).toBe(1);
    expect(err).toMatch(
      /abort mfe-blocks --quarantine --if-canary r3[^]* --live [^]*\(rollback_unclear\)\n$/,
    );
  });

  test('by version ends the bad canary, and later activations do not bring it back', async () => {
    const { code, out } = await harness.site('rollback', blocksVersion(3), ...because);
    expect(code).toBe(0);
    expect(out).toContain('the canary of mfe-blocks has ended: its visitors see r2 of production');
    expect(out).toContain(`quarantined: mfe-blocks@${blocks(3).version}`);
    expect(out).toContain('open tabs leave: r3');
    expect(out).toMatch(/every edge \(1\) serves it/);
    expect((await harness.site('activate', blocksVersion(3))).err).toContain('(version_quarantined)');
  });

  test('with --live rolls back the live version once; the canary continues', async () => {
    const { out } = await harness.site('rollback', 'mfe-blocks', '--live', ...because);
    expect(out).toContain('r4 is live on production');
    expect((await harness.site('status')).out).toContain('r3 is the canary of mfe-blocks with 10 %');
    expect(out).toContain('open tabs leave: r2');
    const again = await harness.site('rollback', 'mfe-blocks', '--live', ...because);
    expect(again.err).toContain('(rolled_back_already)');
  });
});

test.each([['canary', '20%'], ['promote'], ['abort']])(
  '"%s %s" without a canary is rejected and shows how to start one',
  async (...command) => {
    await harness.registry.startSite();
    const { code, err } = await harness.site(...command);
    expect(code).toBe(1);
    expect(err).toMatch(/--canary[^]*\(no_canary\)/);
  },
);

test.each([['canary', '20%'], ['promote'], ['abort']])(
  '"%s %s" with --if-canary is rejected when another canary runs',
  async (...command) => {
    await startCanary();
    const { code, err } = await harness.site(...command, '--if-canary', 'r1');
    expect(code).toBe(1);
    expect(err).toContain('(no_canary)');
  },
);

test.each([['canary', '20%'], ['promote'], ['abort']])(
  '"%s %s" with --dry-run changes nothing',
  async (...command) => {
    await startCanary();
    const { code, out } = await harness.site(...command, '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^dry run: nothing was changed/);
    expect((await harness.site('status')).out).toContain(
      'r2 is the canary of mfe-blocks with 10 % of the visitors',
    );
  },
);

test.each(['0%', '100%', '1.234%', 'ten', '-5%', ''])(
  'a share of "%s" is rejected as a wrong command line',
  async (share) => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('activate', blocksVersion(2), `--canary=${share}`);
    expect(code).toBe(2);
    expect(err).toContain('share');
  },
);
