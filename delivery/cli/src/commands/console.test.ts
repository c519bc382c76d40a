import { makeCell, testEdge } from '@site/registry/testing/signals';
import { openBrowser } from '@site/registry/testing/browser';
import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);
const [live, next] = [blocks(1).version, blocks(2).version];

/** The second version of mfe-blocks has been live for ten minutes; an edge has counted visitors of both. */
async function startSite(): Promise<void> {
  const { registry } = harness;
  await registry.startSite();
  await registry.publish(blocks(2));
  registry.clock.now = new Date(registry.clock.now.getTime() + 10 * 60_000);
  await registry.activate({ 'mfe-blocks': next }, { reason: 'better blocks' });
  await testEdge(registry).tell([
    makeCell({ app: 'mfe-blocks', version: live, views: 1_000, faults: 1, formsSent: 4, formsRefused: 1 }),
    makeCell({ app: 'mfe-blocks', version: next, views: 200, faults: 3, lcp: [[140, 200]], formsFailed: 2 }),
  ]);
}

describe('console', () => {
  test('prints only a link on standard output; it signs in once', async () => {
    const { code, out, err } = await harness.site('console');
    expect(code).toBe(0);
    const [address, secret = ''] = out.trim().split('#code=');
    expect(address).toBe(`${harness.url}/console`);
    expect(err).toContain('Until 2026-01-01 12:01:00 UTC');
    expect(err).not.toContain(secret);
    const browser = openBrowser(harness.registry.app);
    expect((await browser.signIn({ code: secret })).json()).toMatchObject({ name: 'olivia', session: true });
    expect((await openBrowser(harness.registry.app).signIn({ code: secret })).statusCode).toBe(401);
  });

  test('grants no more than the permissions of the token', async () => {
    const { out } = await harness.siteWith({ SITE_TOKEN: harness.registry.tokens.read }, 'console');
    const browser = openBrowser(harness.registry.app);
    const session = await browser.signIn({ code: out.trim().split('#code=')[1] });
    expect(session.json()).toMatchObject({ name: 'reader', scopes: ['read'] });
  });
});

test("token who shows the token's name and permissions", async () => {
  expect((await harness.site('token', 'who')).out).toMatch(
    /^"olivia" may ops until it is revoked \(id .+\)\n$/,
  );
});

test('overview shows the health of each app and open problems', async () => {
  await startSite();
  const before = await harness.site('overview');
  expect(before.out).toContain('nothing needs a person\n');
  expect(before.out).toMatch(
    new RegExp(`mfe-blocks +${next} +2026-01-01 12:10:00 UTC +olivia +- +200 +15.0 +9\\d\\d ms +- +- +-`),
  );
  await harness.site('freeze', 'mfe-blocks', '--reason', 'holidays');
  const { out } = await harness.site('overview');
  expect(out).toContain(
    'frozen mfe-blocks since 2026-01-01 12:10:00 UTC: mfe-blocks was frozen by olivia: holidays\n',
  );
  expect(out).toMatch(/mfe-blocks .* by olivia\n/);
});

test('overview and status show the rollbacks of the last day, with nothing left to do', async () => {
  await startSite();
  await harness.site('rollback', 'mfe-blocks', '--reason', 'broken');
  for (const command of ['overview', 'status']) {
    expect((await harness.site(command)).out).toContain(
      `olivia rolled back mfe-blocks@${next} (r2, published by olivia) at 2026-01-01 12:10:00 UTC, nothing is left ` +
        'to do: broken\n',
    );
  }
});

test('compare shows two versions side by side', async () => {
  await startSite();
  const { out } = await harness.site('compare', 'mfe-blocks', next, live);
  expect(out).toMatch(new RegExp(`${next} +2026-01-01 12:00:00 UTC +olivia +abc1234 .* 200 +15.0 `));
  expect(out).toMatch(new RegExp(`${live} .* 1,000 +1.0 `));
  expect(out).toMatch(/\/blocks\/auth +\d+ B \+ .* \d+ B \+ /);
});

test('forms shows how many submissions were sent, rejected and failed', async () => {
  await startSite();
  const { out } = await harness.site('forms', 'mfe-blocks');
  expect(out).toMatch(new RegExp(`/blocks +mfe-blocks +${live} +1,000 +4 +1 +0 +2026-01-01 12:10:00 UTC\n`));
  expect(out).toMatch(new RegExp(`/blocks +mfe-blocks +${next} +200 +0 +0 +2 +-\n`));
});

test('health --over-time shows each version over time, for one app', async () => {
  await startSite();
  const { out } = await harness.site('health', 'mfe-blocks', '--over-time');
  expect(out).toMatch(new RegExp(`2026-01-01 12:10:00 UTC +${next} +200 +3 `));
  expect((await harness.site('health', '--over-time')).code).toBe(2);
});

test('history --health shows the health before and after each release', async () => {
  await startSite();
  const { out } = await harness.site('history', '--health');
  expect(out).toMatch(/r2 .* better blocks\n/);
  expect(out).toMatch(/before +mfe-blocks +1,000 views, 1.0 faults per 1,000, LCP -, INP -\n/);
  expect(out).toMatch(/after +mfe-blocks +200 views, 15.0 faults per 1,000, LCP 9\d\d ms, INP -\n/);
});

test('search finds versions, releases and people', async () => {
  await startSite();
  const commit = '0123456789abcdef0123456789abcdef01234567';
  await harness.registry.publish({ ...blocks(3), commit });
  expect((await harness.site('search', commit)).out).toMatch(
    new RegExp(`version +mfe-blocks@${blocks(3).version} +2026-01-01 12:10:00 UTC +olivia +0123456789ab\\n`),
  );
  expect((await harness.site('search', 'better')).out).toMatch(/release +r2 .* olivia +better blocks\n/);
  expect((await harness.site('search', 'olivia')).out).toMatch(/person +olivia /);
  expect((await harness.site('search', 'nothing like it')).out).toBe('nothing was found\n');
});

test('audit filters by author or app', async () => {
  await startSite();
  const actions = async (...args: string[]) =>
    (await harness.siteJson<{ events: { action: string }[] }>('audit', ...args)).events.map(
      ({ action }) => action,
    );
  expect(await actions('--by', 'nobody')).toEqual([]);
  expect(await actions('--action', 'version.', '--app', 'mfe-blocks')).toEqual([
    'version.published',
    'version.published',
  ]);
  expect(await actions('--since', '2026-01-01T12:05:00Z')).toEqual(['release.activate']);
});

test('preview --list shows the links that are in force, and never the links', async () => {
  await startSite();
  const { out: link } = await harness.site('preview', `mfe-blocks@${live}`, '--minutes', '5');
  const { out } = await harness.site('preview', '--list');
  expect(out).toMatch(new RegExp(`mfe-blocks@${live} +production +olivia +2026-01-01 12:15:00 UTC`));
  expect(out).not.toContain(new URL(link).searchParams.get('id'));
  expect((await harness.site('preview', '--list', 'mfe-partners')).out).toBe('no links\n');
});
