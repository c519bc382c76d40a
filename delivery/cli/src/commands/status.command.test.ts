import { registryTables } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness, blocksVersion } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

describe('status and history', () => {
  test('show the live and the latest versions, and the release of each edge', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.startEdge();
    const { out } = await harness.site('status');
    expect(out).toContain('r1 has been live on production since 2026-01-01 12:00:00 UTC, by olivia: a test');
    expect(out).toMatch(new RegExp(`mfe-blocks +${blocks(1).version} +- +- +${blocks(2).version}`));
    expect(out).toMatch(new RegExp(`shell +${shellManifest().version} +- +- +is live`));
    expect(out).toMatch(/edge-1 +r1 +- +now/);
  });

  test('report an empty channel', async () => {
    expect((await harness.site('status')).out).toContain('nothing is live on production yet');
    expect((await harness.site('history')).out).toContain('no release of production yet');
  });

  test('list releases of all apps or of one', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2), '--reason', 'new blocks');
    await harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks');
    const { out } = await harness.site('history', 'mfe-blocks');
    expect(out.split('\n')[1]).toMatch(/^r3 .* rollback .* it blinks$/);
    expect(out.split('\n')[2]).toMatch(/^r2 revoked .* activate .* new blocks$/);
    const { out: json } = await harness.site('history', '--json', '--limit', '1');
    expect(JSON.parse(json)).toMatchObject({ releases: [{ id: 'r3' }] });
    expect((await harness.site('history', 'mfe-partners')).out.split('\n')).toHaveLength(3);
  });

  test('show the release of a retired app even without a version change', async () => {
    await harness.registry.startSite();
    const why = ['--reason', 'a test'];
    await harness.site('retire', 'mfe-blocks', ...why);
    await harness.site('retire', 'mfe-blocks', '--to', '/partners', ...why);
    await harness.site('rollback', 'mfe-blocks', ...why);
    const { version } = blocks(1);
    const changes = [
      `mfe-blocks none → ${version}, mfe-blocks was brought back`,
      'mfe-blocks was retired: its paths redirect to /partners',
      `mfe-blocks ${version} → none, mfe-blocks was retired: its paths respond with 410 Gone`,
    ];
    for (const options of [[], ['--health']]) {
      const { out } = await harness.site('history', '--limit', '3', ...options);
      const shown = out.split('\n').filter((line) => /^r\d/.test(line));
      expect(shown.map((line) => changes.findIndex((change) => line.includes(`  ${change}  `)))).toEqual([
        0, 1, 2,
      ]);
    }
    expect((await harness.site('history', 'mfe-partners')).out).not.toContain('mfe-blocks');
  });

  test('reject an unknown app and list the known apps', async () => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('history', 'mfe-block');
    expect(code).toBe(1);
    expect(err).toMatch(/"mfe-block" was ever published.*mfe-blocks, mfe-partners, shell.*\(app_unknown\)/);
  });

  test('show the canary with its changes, and freezes', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2), '--canary', '12.5', '--reason', 'new blocks');
    await harness.startEdge();
    await harness.site('freeze', 'mfe-partners', '--reason', 'until Monday');
    const { out } = await harness.site('status');
    expect(out).toMatch(
      /r2 is the canary of mfe-blocks with 12\.5 % of the visitors, since .*, by olivia: new blocks/,
    );
    expect(out).toContain(`  mfe-blocks ${blocks(1).version} → ${blocks(2).version}`);
    expect(out).toMatch(/mfe-partners has been frozen on production since .*, by olivia: until Monday/);
    expect(out).toMatch(/edge-1 +r1 +r2 12\.5 % +now/);
  });
});

describe('the state of a version', () => {
  const quarantined = async () => {
    await harness.registry.startSite();
    for (const contents of [2, 3]) await harness.registry.publish(blocks(contents));
    await harness.site('activate', blocksVersion(2));
    for (const contents of [2, 3]) {
      const name = blocksVersion(contents);
      await harness.site('quarantine', name, '--reason', 'loses the form');
    }
  };

  test('shows in the status when it is live or the latest and cannot be activated', async () => {
    await quarantined();
    const { out } = await harness.site('status');
    const [live, newest] = [blocks(2).version, blocks(3).version];
    expect(out).toMatch(
      new RegExp(`mfe-blocks +${live} quarantined +${blocks(1).version} +- +${newest} quarantined`),
    );
    expect(out.match(/quarantined/g)).toHaveLength(2);
    expect((await harness.siteJson<{ quarantined: string[] }>('status')).quarantined.sort()).toEqual(
      [live, newest].map((version) => `mfe-blocks@${version}`),
    );
  });

  test('shows in "versions", latest first', async () => {
    await quarantined();
    await registryTables(harness.registry)
      .updateTable('versions')
      .set({ collected_at: new Date('2026-01-02T00:00:00Z') })
      .where('version', '=', blocks(3).version)
      .execute();
    const { code, out } = await harness.site('versions', 'mfe-blocks');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^VERSION +PUBLISHED +BY +FROM +ON PRODUCTION$/) as string,
      expect.stringMatching(
        new RegExp(
          `^${blocks(3).version} .* olivia +abc1234 \\(claimed\\) +quarantined by olivia: "loses the form", collected 2026-01-02 `,
        ),
      ) as string,
      expect.stringMatching(
        new RegExp(`^${blocks(2).version} .*olivia .* live, quarantined by olivia`),
      ) as string,
      expect.stringMatching(
        new RegExp(`^${blocks(1).version} +2026-01-01 12:00:00 UTC +olivia .* last good$`),
      ) as string,
      '',
    ]);
    const { versions } = await harness.siteJson<{ versions: object[] }>('versions', 'mfe-blocks');
    expect(versions).toMatchObject([
      { version: blocks(3).version, live: false, quarantined: { by: 'olivia' } },
      { version: blocks(2).version, live: true, canary: false, lastGood: false, collectedAt: null },
      { version: blocks(1).version, live: false, lastGood: true, quarantined: null },
    ]);
  });

  test('includes the canary; an unknown version is rejected with a hint to the list', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2), '--canary', '10%');
    const { out } = await harness.site('versions', 'mfe-blocks');
    expect(out.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/ olivia .* canary$/) as string,
      expect.stringMatching(/ olivia .* live$/) as string,
    ]);
    const { err } = await harness.site('quarantine', blocksVersion(9), '--reason', 'x');
    expect(err).toMatch(/"npx @site\/cli versions <app>" lists.*\(version_unknown\)/);
  });
});

describe('diff', () => {
  test('shows versions, pages and files that differ between two releases', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(
      remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/forms'], contents: 2 }),
    );
    await harness.site('activate', blocksVersion(2));
    const { code, out } = await harness.site('diff', 'r1', 'r2');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`version +mfe-blocks ${blocks(1).version} → ${blocks(2).version}`));
    expect(out).toMatch(/page +\+ \/blocks\/forms/);
    expect(out).toMatch(/page +- \/blocks\/auth/);
    expect(out).toMatch(/files +mfe-blocks: 1 added, 1 removed, 1 unchanged/);
    expect((await harness.site('diff', 'r1', 'r1')).out).toBe('r1 and r1 are identical\n');
  });

  test('rejects an invalid and an unknown release', async () => {
    expect(await harness.site('diff', '1', '2')).toMatchObject({ code: 2 });
    const { code, err } = await harness.site('diff', 'r1', 'r9');
    expect(code).toBe(1);
    expect(err).toContain('(release_unknown)');
  });
});

describe('audit', () => {
  test('shows author, action and reason, newest first, and continues from any entry', async () => {
    await harness.registry.startSite();
    await harness.site('freeze', '--reason', 'launch day');
    const { out } = await harness.site('audit', '--limit', '1');
    expect(out.split('\n')[1]).toMatch(/^\d+ +2026-01-01 12:00:00 UTC +olivia .*launch day$/);
    const { events } = await harness.siteJson<{ events: { sequence: number; action: string }[] }>('audit');
    const older = await harness.site('audit', '--before', String(events[0]?.sequence), '--limit', '1');
    expect(older.out.split('\n')[1]).toMatch(new RegExp(`^${events[1]?.sequence} `));
  });
});
