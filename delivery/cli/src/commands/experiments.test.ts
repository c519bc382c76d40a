import { remoteManifest } from '@site/registry/testing/manifests';
import { siteConfig } from '@site/registry/testing/harness';
import { makeCell, testEdge } from '@site/registry/testing/signals';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);
const partners = remoteManifest('mfe-partners', {
  variants: { headline: ['a', 'b'] },
  outcomes: [
    { name: 'sent', on: 'form' },
    { name: 'started', on: 'visit', path: '/blocks' },
  ],
  contents: 2,
});

beforeEach(async () => {
  const { registry } = harness;
  await registry.startSite();
  await registry.publish(partners);
  await registry.activate({ 'mfe-partners': partners.version });
  const sum = (headline: string, views: number, sent: number) => ({
    variants: 'headline=a,b',
    choice: `headline=${headline}`,
    views,
    reached: { sent },
  });
  const experiments = [sum('a', 2_050, 200), sum('b', 2_050, 224)];
  const { version } = partners;
  await testEdge(registry).tell([
    makeCell({ app: 'mfe-partners', version, route: '/partners', views: 0, experiments }),
  ]);
});

test('"experiments" shows the rate of each variant and whether one wins', async () => {
  const { code, out } = await harness.site('experiments');
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^\/partners \(mfe-partners\): B leads by 12 % ± \d+, 4,100 views, not decided$/),
    '  VARIANT     VIEWS  sent          started',
    '  headline=a  2,050  9.8 % (200)   0.0 % (0)',
    '  headline=b  2,050  10.9 % (224)  0.0 % (0)',
    '  started: no difference',
    '',
  ]);
});

test('"experiments end" shows one variant to everyone in a release that "config rollback" takes back', async () => {
  const end = ['experiments', 'end', '/partners', 'headline=b', '--reason', 'B leads'];
  expect((await harness.site(...end, '--dry-run')).out).toContain('dry run: nothing was changed');
  const { code, out } = await harness.site(...end);
  expect(code).toBe(0);
  expect(out).toMatch(/^r3 is live on production: everyone sees headline=b on \/partners\n/);
  const chosenVariants = { '/partners': { headline: 'b' } };
  expect(await harness.siteJson('config', 'show')).toEqual({ ...siteConfig, chosenVariants });
  expect((await harness.site('experiments')).out).toMatch(/: ended: everyone sees B\n/);
  expect((await harness.site(...end)).out).toContain('nothing to do: everyone already sees headline=b');

  expect((await harness.site('config', 'rollback', '--reason', 'not sure')).code).toBe(0);
  expect(await harness.siteJson('config', 'show')).toEqual(siteConfig);
  expect((await harness.site('experiments')).out).toContain('B leads by 12 %');
});

test.each([
  ['/partners', 'headline=z', '/partners has no variant "headline=z", only: headline=a, headline=b.'],
  ['/blocks', 'headline=a', 'No live version counts outcomes for variants of /blocks on production.'],
])('"experiments end %s %s" is rejected', async (page, variant, message) => {
  const { code, err } = await harness.site('experiments', 'end', page, variant, '--reason', 'x');
  expect(code).toBe(1);
  expect(err).toContain(`site: ${message} (variant_unknown)`);
});

test('without experiments the list says so', async () => {
  const { out } = await harness.site('experiments', '--channel', 'staging');
  expect(out).toBe('no live page on staging declares outcomes for its variants\n');
});
