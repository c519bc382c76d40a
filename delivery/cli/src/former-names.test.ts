import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness } from './testing/site-harness.ts';

/** Scripts may use the names of the version before. */
const harness = forEachTest(createSiteHarness);
const because = ['--reason', 'a test'];
const version = `mfe-blocks@${blocks(2).version}`;

test.each([
  [['release', version, ...because], 'release', 'unquarantine', 'version_unknown'],
  [['activate', 'mfe-blocks', '--parent', 'r9'], '--parent', '--if-live', 'parent_outdated'],
  [['promote', '--candidate=r9'], '--candidate', '--if-canary', 'no_canary'],
  [['rollback', 'mfe-blocks', '--stable', ...because], '--stable', '--live', 'no_good_version'],
])('%j is understood, and says what is called otherwise now', async (args, former, name, code) => {
  await harness.registry.startSite();
  const { err } = await harness.site(...args);
  expect(err.split('\n', 1)).toEqual([`site: "${former}" is called "${name}" now`]);
  expect(err).toContain(`(${code})`);
});

test('where JSON was asked for, a failure is one document, and answers have both names', async () => {
  await harness.registry.startSite();
  const { err } = await harness.site('promote', '--candidate', 'r9', '--json');
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'no_canary' } });
  const status = await harness.siteJson<object>('status');
  expect(status).toMatchObject({ state: { live: 'r1', stable: 'r1', canary: null, candidate: null } });
});

test('no help names them', async () => {
  const helps = await Promise.all(
    [[], ['activate'], ['promote'], ['rollback']].map((command) => harness.site(...command, '--help')),
  );
  for (const { out } of helps) expect(out).not.toMatch(/^ {2}release |--parent|--candidate|--stable/m);
});
