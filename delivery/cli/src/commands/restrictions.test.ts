import { forEachTest } from '@site/server/testing/for-each-test';
import { shellManifest } from '@site/registry/testing/manifests';
import { blocks, createSiteHarness, blocksVersion } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

describe('quarantine and release', () => {
  test('quarantine a version and lift the quarantine', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const quarantined = await harness.site('quarantine', blocksVersion(2), '--reason', 'loses the form');
    expect(quarantined).toMatchObject({
      code: 0,
      out: `${blocksVersion(2)} is quarantined: "loses the form"\n`,
    });
    expect((await harness.site('activate', blocksVersion(2))).err).toContain('(version_quarantined)');

    const lifted = await harness.site('unquarantine', blocksVersion(2), '--reason', 'it was the gateway');
    expect(lifted.out).toBe(`${blocksVersion(2)} is not quarantined\n`);
    expect((await harness.site('activate', blocksVersion(2))).code).toBe(0);
  });

  test('warn that the version stays live, and print the command that removes it', async () => {
    await harness.registry.startSite();
    const { out } = await harness.site('quarantine', blocksVersion(1), '--reason', 'loses the form');
    expect(out).toContain('it stays live on production, and there is no good version to roll back to');
    expect(out).toContain('npx @site/cli publish mfe-blocks --activate');
    expect(out).not.toContain('npx @site/cli rollback');

    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2), '--no-wait');
    await harness.site('unquarantine', blocksVersion(1), '--reason', 'it was the gateway');
    const other = await harness.site(
      'quarantine',
      blocksVersion(2),
      '--reason',
      'it blinks',
      '--key',
      'run-1',
    );
    expect(other.out).toContain(
      `it stays live on production: remove it with npx @site/cli rollback ${blocksVersion(2)} --reason`,
    );
    expect((await harness.site('history')).out).not.toContain('it blinks');
  });

  test('warn that browsers still fall back to the version, and print the command that replaces it', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2));
    const { out } = await harness.site('quarantine', blocksVersion(1), '--reason', 'loses the form');
    const remedy = `activate ${blocksVersion(2)} --channel production`;
    expect(out).toContain(`warning: browsers on production still fall back to it`);
    expect(out).toContain(`npx @site/cli ${remedy}`);
    await harness.site(...remedy.split(' '));
    const again = await harness.site('quarantine', blocksVersion(1), '--reason', 'loses the form');
    expect(again.out).not.toContain('warning');
  });

  test('need a version', async () => {
    const { code, err } = await harness.site('quarantine', 'mfe-blocks', '--reason', 'loses the form');
    expect(code).toBe(1);
    expect(err).toContain('write mfe-blocks@<version>');
  });
});

test('a blocking remote is left out, status shows the command that restores it, and that works', async () => {
  const { registry } = harness;
  await registry.startSite();
  const shell = shellManifest({ contents: 2 });
  await registry.publish(shell, { query: '?live-checks=defer' });
  await harness.writeBuild(shell);
  registry.composer.broken.add('/partners');
  const refused = await harness.site('activate', 'shell');
  expect(refused.err).toMatch(/--without <app>[^]*\(page_not_rendered\)/);

  const without = ['--without', 'mfe-partners', '--reason', 'it fails on purpose'];
  const { code, out } = await harness.site('activate', 'shell', ...without);
  expect([code, out]).toEqual([0, expect.stringMatching(/mfe-partners 1\.0\.0-\S+ → none/)]);
  const { out: status } = await harness.site('status');
  const proposed = /mfe-partners is left out of production; .* Restore it: npx @site\/cli (.*)/.exec(
    status,
  )?.[1];
  registry.composer.broken.clear();
  expect((await harness.site(...(proposed ?? '').split(' '))).code).toBe(0);
  expect((await harness.site('status')).out).not.toContain('left out');

  registry.composer.broken.add('/partners');
  const back = await harness.site('rollback', 'shell', ...without);
  expect([back.code, back.out]).toEqual([0, expect.stringMatching(/mfe-partners 1\.0\.0-\S+ → none/)]);
});

describe('freeze and unfreeze', () => {
  test('block and allow activations; rollbacks always work', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.registry.publish(blocks(3));
    await harness.site('activate', blocksVersion(2));
    const frozen = await harness.site('freeze', '--reason', 'launch day');
    expect(frozen.out).toMatch(
      /^done\neverything has been frozen on production since .* by olivia: launch day\n$/,
    );

    const refused = await harness.site('activate', blocksVersion(3));
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/olivia[^]*launch day[^]*\(frozen\)/);
    expect((await harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks')).code).toBe(0);

    const thawed = await harness.site('unfreeze', '--reason', 'launched');
    expect(thawed.out).toBe('done\nnothing is frozen on production\n');
    expect((await harness.site('activate', blocksVersion(3))).code).toBe(0);
  });

  test('unfreezing one app fails while all apps are frozen', async () => {
    await harness.registry.startSite();
    await harness.site('freeze', '--reason', 'launch day');
    const thaw = await harness.site('unfreeze', 'mfe-blocks', '--reason', 'x');
    expect(thaw).toMatchObject({ code: 1, out: '' });
    expect(thaw.err).toMatch(
      /"mfe-blocks" has no freeze of its own on production.*by olivia: "launch day".*\(still_frozen\)/,
    );
    await harness.site('unfreeze', '--reason', 'launched');
    expect(await harness.site('unfreeze', 'mfe-blocks', '--reason', 'x')).toMatchObject({ code: 0 });
  });

  test('a freeze of one app does not affect the others', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('freeze', 'mfe-partners', '--reason', 'until Monday');
    expect((await harness.site('activate', blocksVersion(2))).code).toBe(0);
    const again = await harness.site('freeze', 'mfe-partners', '--reason', 'until Monday');
    expect(again.out).toMatch(/^nothing to do\nmfe-partners has been frozen/);
  });
});

test.each([['quarantine', blocksVersion(2)], ['unquarantine', blocksVersion(2)], ['freeze'], ['unfreeze']])(
  '"%s" with --dry-run changes nothing',
  async (...command) => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const before = await harness.siteJson<object>('audit', '--limit', '1');
    const { code, out } = await harness.site(...command, '--reason', 'a rehearsal', '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^dry run: nothing was changed/);
    expect(await harness.siteJson('audit', '--limit', '1')).toEqual(before);
  },
);
