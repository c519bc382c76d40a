import { forEachTest } from '@site/server/testing/for-each-test';
import { runAt, type Ran } from './testing/run-here.ts';
import { blocks, blocksVersion, createSiteHarness } from './testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

function inBlocks(...args: string[]): Promise<Ran> {
  const env = { SITE_REGISTRY: harness.url, SITE_TOKEN: harness.registry.tokens.ops };
  return runAt({ root: harness.root, ownApp: 'mfe-blocks' }, env, ...args);
}

test("in an app's folder every command defaults to that app", async () => {
  await harness.registry.startSite();
  await harness.writeBuild(blocks(2));
  const { version } = blocks(2);
  expect((await inBlocks('check', '--no-build')).out).toContain(`mfe-blocks@${version} can be published`);
  expect((await inBlocks('publish', '--no-build')).out).toContain(`published mfe-blocks@${version}`);
  expect((await inBlocks('preview')).err).toContain(`The live site with mfe-blocks@${version}`);
  expect((await inBlocks('activate', '--no-wait')).out).toContain(`→ ${version}`);
  expect((await inBlocks('versions')).out).toMatch(new RegExp(`${version} .* live`));
  expect((await inBlocks('health')).out).toContain('no data for');
  expect((await inBlocks('faults')).out).toContain('no faults reported for mfe-blocks yet');
  expect((await inBlocks('rollback', '--reason', 'a test', '--no-wait')).out).toContain(
    `quarantined: mfe-blocks@${version}`,
  );
});

test('in two folders with different builds each activates its own, whoever published last', async () => {
  await harness.registry.startSite();
  await harness.writeBuild(blocks(2));
  expect((await inBlocks('publish', '--no-build', '--canary', '10%')).out).toContain('r2 is a canary');
  expect((await inBlocks('abort')).code).toBe(0);
  await harness.registry.publish(blocks(3));
  expect((await inBlocks('activate', '--no-wait')).out).toContain(`→ ${blocks(2).version}`);
  await harness.writeBuild(blocks(4));
  expect((await inBlocks('activate', '--no-wait')).err).toContain('(version_unknown)');
  const both = await inBlocks('publish', '--no-build', '--activate');
  expect(both.out).toMatch(
    new RegExp(`published ${blocksVersion(4)}[^]*is live on production[^]*→ ${blocks(4).version}`),
  );
  expect(both.out).not.toContain('Make it live');
});

test('elsewhere they require an app and change nothing', async () => {
  await harness.registry.startSite();
  const before = (await harness.site('status')).out;
  for (const command of [
    ['publish'],
    ['check'],
    ['preview'],
    ['activate'],
    ['versions'],
    ['rollback', '--reason', 'x'],
  ]) {
    const { code, out, err } = await harness.site(...command);
    expect({ command, code, out }).toEqual({ command, code: 2, out: '' });
    expect(err).toMatch(/Name an app: shell, mfe-blocks, mfe-partners\..*\(app_not_named\)/);
  }
  expect((await harness.site('status')).out).toBe(before);
});
