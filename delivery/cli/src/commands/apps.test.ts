import { forEachTest } from '@site/server/testing/for-each-test';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { blocks, createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

const create = ['app', 'create', 'mfe-careers', '--owner', 'people', '--paths', '/careers/*,/jobs'];

const createJobs = (paths: string) =>
  harness.site('app', 'create', 'mfe-jobs', '--owner', 'jobs', '--paths', paths);

describe('app', () => {
  test('create, list, transfer and reserve change the app and its paths', async () => {
    expect(await harness.site(...create)).toMatchObject({
      code: 0,
      out: 'done\nmfe-careers belongs to people; reserved paths: /careers/*, /jobs\n',
    });
    expect((await harness.site(...create)).out).toMatch(/^nothing to do\n/);
    expect((await harness.site('activate', 'mfe-careers')).err).toMatch(
      /"mfe-careers" is registered, but no version of it was ever published\..*\(app_unknown\)/,
    );
    const listed = (await harness.site('app', 'list')).out;
    expect(listed).toMatch(/^APP +OWNER +LIVE +NEWEST +PATHS\n/);
    expect(listed).toMatch(/mfe-careers +people +- +not published yet +\/careers\/\* \/jobs\n/);

    await harness.site('token', 'create', 'ci careers', '--scope', 'publish:mfe-careers');
    const given = await harness.site(
      'app',
      'transfer',
      'mfe-careers',
      '--owner',
      'growth',
      '--reason',
      'new team',
    );
    expect(given.out).toBe(
      'done\nmfe-careers belongs to growth; reserved paths: /careers/*, /jobs\nthese tokens may publish or activate it: ci careers (revoke one with "npx @site/cli token revoke")\n',
    );
    const reserve = ['app', 'reserve', 'mfe-careers', '--paths', '/careers/*', '/work', '--reason', 'a name'];
    expect((await harness.site(...reserve, '--dry-run')).out).toMatch(/^dry run: nothing was changed/);
    expect(await harness.siteJson(...reserve)).toMatchObject({
      changed: true,
      paths: ['/careers/*', '/work'],
    });
  });

  test('create rejects a path of another app and names its owner', async () => {
    await harness.site(...create);
    const { code, err } = await createJobs('/jobs/*');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /mfe-jobs wants "\/jobs\/\*", which is reserved for mfe-careers of the team people.*\(path_reserved\)/,
      ),
    ]);
  });

  test('create rejects an invalid path pattern', async () => {
    const { code, err } = await createJobs('/Jobs');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('is not a path that can be reserved: write a page path ("/careers")'),
    ]);
  });

  test('the first publish by ops registers the app and reports it', async () => {
    await harness.writeBuild(shellManifest());
    await harness.writeBuild(blocks(1));
    await harness.site('publish', 'shell', '--no-build', '--allow-stale');
    const { code, out } = await harness.site('publish', 'mfe-blocks', '--no-build', '--allow-stale');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\nreserved +for this app from now on: \/blocks, \/blocks\/auth\n/),
    ]);
  });
});

describe('retire', () => {
  const retire = ['retire', 'mfe-blocks', '--reason', 'unused'];

  test('removes an app from the site on every edge; status shows how to restore it, and that command works', async () => {
    await harness.registry.startSite();
    await harness.startEdge();
    const { code, out } = await harness.site(...retire, '--to', '/partners');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^r2 is live on production: mfe-blocks is retired, and its paths redirect to \/partners\n {2}mfe-blocks \S+ → none\n[^]*every edge \(1\) serves it/,
      ),
    ]);
    expect((await harness.site(...retire, '--to', '/partners')).out).toMatch(
      /^nothing to do: mfe-blocks is already retired in r2/,
    );
    expect((await harness.site('app', 'list')).out).toMatch(/mfe-blocks +blocks +retired, to \/partners/);
    expect((await harness.site('overview')).out).toMatch(/mfe-blocks +retired/);

    const status = (await harness.site('status')).out;
    const [, back = ''] =
      /mfe-blocks is retired on production; .* Restore it: npx @site\/cli (.*)/.exec(status) ?? [];
    const returned = await harness.site(...back.split(' '), '--reason', 'needed after all');
    expect([returned.code, returned.out]).toEqual([0, expect.stringMatching(/^r3 is live on production\n/)]);
    expect(returned.out).not.toContain('quarantined');
    expect((await harness.site('status')).out).not.toContain('retired');
  });

  test('lists the pages that link to the app, and continues with --yes', async () => {
    await harness.registry.startSite();
    const { composer } = harness.registry;
    composer.extraMarkup = (path) => `<a href="/blocks">from ${path}</a>`;
    const partners = remoteManifest('mfe-partners', { contents: 2 });
    await harness.registry.publish(partners);
    await harness.registry.activate({ 'mfe-partners': partners.version });
    const refused = await harness.site(...retire);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(
        /Live pages link to mfe-blocks: \/partners \(mfe-partners\) → \/blocks\.[^]*--yes[^]*\(links_remain\)/,
      ),
    ]);
    expect((await harness.site(...retire, '--dry-run')).out).toMatch(
      /\/partners of mfe-partners links to \/blocks\n/,
    );
    const done = await harness.site(...retire, '--yes');
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/its paths respond with 410 Gone/)]);
  });

  test('with --if-live rejects a concurrent change and shows its changes', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.registry.activate({ 'mfe-blocks': blocks(2).version });
    const { code, err } = await harness.site(...retire, '--if-live', 'r1');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/"r2" by \S+ is live \(mfe-blocks \S+ → \S+\)[^]*\(parent_outdated\)\n$/),
    ]);
    expect((await harness.site(...retire, '--if-live', 'r2')).code).toBe(0);
  });
});
