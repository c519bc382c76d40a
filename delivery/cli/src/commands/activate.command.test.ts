import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteConfig, registryTables } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness, blocksVersion } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

describe('activate and rollback', () => {
  test('activate the newest version and roll it back, waiting for the edge each time', async () => {
    const { blocks: first } = await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.startEdge();

    const activated = await harness.site('activate', blocksVersion(2));
    expect({ code: activated.code, err: activated.err }).toEqual({ code: 0, err: '' });
    expect(activated.out).toContain('r2 is live on production');
    expect(activated.out).toContain(`mfe-blocks ${first.version} → ${blocks(2).version}`);
    expect(activated.out).toContain('its pages were rendered when it was published');
    expect(activated.out).toMatch(/every edge \(1\) serves it after \d+ ms/);

    const rolledBack = await harness.site('rollback', 'mfe-blocks', '--reason', 'the form is broken');
    expect(rolledBack.code).toBe(0);
    expect(rolledBack.out).toContain(`mfe-blocks ${blocks(2).version} → ${first.version}`);
    expect(rolledBack.out).toContain('its pages were rendered when it was published');
    expect(rolledBack.out).toContain('open tabs leave: r2');
    expect(rolledBack.out).toMatch(/every edge \(1\) serves it after \d+ ms/);
  });

  test('--json prints one document with the release, the counters and the time', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const { out } = await harness.site('activate', blocksVersion(2), '--json', '--reason', 'news');
    expect(JSON.parse(out)).toMatchObject({
      release: { id: 'r2', reason: 'news' },
      changed: true,
      rendered: 0,
      edges: 0,
      lagging: [],
      silent: [],
      ms: expect.any(Number) as number,
    });
  });

  test('--no-wait does not query the edges', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const heartbeat = { channel: 'production', release: 'r1' };
    await harness.registry.send('PUT', '/v1/edges/edge-1', { body: heartbeat });
    const { code, out } = await harness.site('activate', blocksVersion(2), '--no-wait');
    expect(code).toBe(0);
    expect(out).not.toContain('edge');
  });

  test('activating the live version reports it and is not a failure', async () => {
    await harness.registry.startSite();
    const { code, out } = await harness.site('activate', blocksVersion(1));
    expect(code).toBe(0);
    expect(out).toContain('nothing to do: r1 is already live');
  });

  test('after a rollback and a new publish of the same sources, <app> is this build', async () => {
    const { blocks: first } = await harness.registry.startSite();
    await harness.writeBuild(blocks(2));
    await harness.site('publish', 'mfe-blocks', '--no-build');
    await harness.site('activate', blocksVersion(2));

    await harness.writeBuild(blocks(1));
    expect((await harness.site('publish', 'mfe-blocks', '--no-build')).out).toContain('was published before');
    const change = `mfe-blocks ${blocks(2).version} → ${first.version}`;
    expect((await harness.site('status')).out).toMatch(
      new RegExp(`mfe-blocks +${blocks(2).version} .* ${first.version} +\\d{4}-`),
    );
    expect((await harness.site('preview', 'mfe-blocks', '--dry-run')).out).toContain(first.version);
    expect((await harness.site('activate', 'mfe-blocks', '--dry-run')).out).toContain(change);
    expect((await harness.site('activate', 'mfe-blocks')).out).toContain(change);
  });

  test('without a build in this folder the candidates are named, and nothing is activated', async () => {
    await harness.registry.startSite();
    for (const contents of [2, 3]) await harness.registry.publish(blocks(contents));
    const collect = (...versions: string[]) =>
      registryTables(harness.registry)
        .updateTable('versions')
        .set({ collected_at: new Date() })
        .where('version', 'in', versions)
        .where('app', '=', 'mfe-blocks')
        .execute();
    await collect(blocks(3).version);
    for (const command of ['activate', 'preview']) {
      const { code, err } = await harness.site(command, 'mfe-blocks');
      expect(code).toBe(2);
      expect(err).toMatch(
        new RegExp(`${blocksVersion(2)} .* olivia .*\n${blocksVersion(1)} .*version_not_named`, 's'),
      );
      expect(err).not.toContain(blocks(3).version);
    }
    expect((await harness.site('status')).out).not.toContain(blocks(3).version);
    await collect(blocks(1).version, blocks(2).version);
    const { code, err } = await harness.site('activate', 'mfe-blocks');
    expect(code).toBe(1);
    expect(err).toMatch(/no version with stored files: "npx @site\/cli publish mfe-blocks"/);
  });

  test('a rolled back version is rejected until --force', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2));
    await harness.site('rollback', 'mfe-blocks', '--reason', 'the form is broken');
    const refused = await harness.site('activate', blocksVersion(2));
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/was quarantined by olivia.*the form is broken/);
    expect((await harness.site('activate', blocksVersion(2), '--force')).code).toBe(0);
  });

  describe('--config', () => {
    const writeConfig = async (config: unknown) => {
      const file = join(harness.root, 'site.json');
      await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
      return file;
    };

    test('gives the first release its configuration; without it the error names the option', async () => {
      const apps = [shellManifest(), blocks(1)];
      for (const manifest of apps) {
        await harness.registry.publish(manifest);
        await harness.writeBuild(manifest);
      }
      const refused = await harness.site('activate', 'shell', 'mfe-blocks');
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(/configuration of the site.*npx @site\/cli activate .*--config <file>/);

      const file = await writeConfig(siteConfig);
      const { code, out } = await harness.site('activate', 'shell', 'mfe-blocks', '--config', file);
      expect(code).toBe(0);
      expect(out).toContain('r1 is live on production');
      const { release } = await harness.siteJson<{ release: object }>('status');
      expect(release).toMatchObject({ config: siteConfig });
    });

    test('changes the configuration later, also without apps', async () => {
      await harness.registry.startSite();
      const config = { ...siteConfig, origin: 'https://www.example.com' };
      const { code } = await harness.site('activate', '--config', await writeConfig(config));
      expect(code).toBe(0);
      const { release } = await harness.siteJson<{ release: object }>('status');
      expect(release).toMatchObject({ id: 'r2', config, reason: 'activate --config site.json' });
    });

    test.each([
      [
        'a wrong field',
        { ...siteConfig, mode: 'live' },
        /site\.json" is not a configuration of the site: mode: /,
      ],
      [
        'a nested one',
        { ...siteConfig, gateway: { base: 'https://api.example.com', appId: 'app' } },
        /gateway\.base: /,
      ],
      ['what is no JSON', '{', /it is not valid JSON; unexpected end/],
    ])('is rejected for %s, which the message names', async (_, config, message) => {
      await harness.registry.startSite();
      const { code, err } = await harness.site('activate', '--config', await writeConfig(config));
      expect(code).toBe(1);
      expect(err).toMatch(message);
      expect(err).toMatch(/\(config_invalid\)\n$/);
    });

    test('a missing file is rejected, and so is a command without app and configuration', async () => {
      const { err } = await harness.site('activate', '--config', 'none.json');
      expect(err).toMatch(/none\.json" cannot be read: no such file or folder\. \(file_unusable\)/);
      expect(await harness.site('activate')).toMatchObject({
        code: 2,
        err: expect.stringContaining('(app_not_named)') as string,
      });
    });
  });

  test('a field that breaks a registry rule is named', async () => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('activate', blocksVersion(2), '--reason', 'x'.repeat(501));
    expect([code, err]).toEqual([1, 'site: reason: Use at most 500 characters. (body_invalid)\n']);
  });

  test('an unpublished app is rejected, and the known apps are listed', async () => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('activate', 'mfe-nothing');
    expect(code).toBe(1);
    expect(err).toContain('mfe-blocks, mfe-partners, shell');
  });

  test.each(['mfe-blocks@latest', 'blocks', 'mfe-blocks@1@2', ''])(
    '"%s" is rejected as a version',
    async (target) => {
      const { code, err } = await harness.site('activate', target);
      expect(code).toBe(1);
      expect(err).toContain('<app>@<version>');
    },
  );

  test('a rollback without a reason is rejected before anything happens', async () => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('rollback', 'mfe-blocks');
    expect(code).toBe(2);
    expect(err).toContain('--reason');
  });

  test('--dry-run shows the result and changes nothing', async () => {
    const { blocks: first } = await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const activated = await harness.site('activate', blocksVersion(2), '--dry-run');
    expect(activated.code).toBe(0);
    expect(activated.out).toMatch(/^dry run: nothing was changed/);
    expect(activated.out).toContain(`mfe-blocks ${first.version} → ${blocks(2).version}`);
    expect(activated.out).not.toContain('edge');

    await harness.site('activate', blocksVersion(2));
    const rolledBack = await harness.site('rollback', 'mfe-blocks', '--reason', 'a rehearsal', '--dry-run');
    expect(rolledBack.out).toMatch(/^dry run: [^]*open tabs leave: r2/);
    expect((await harness.site('history')).out).not.toContain('a rehearsal');
  });

  test('--if-live rejects a concurrent change and shows its changes', async () => {
    const { blocks: first } = await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const partners = remoteManifest('mfe-partners', { contents: 2 });
    await harness.registry.publish(partners);
    await harness.writeBuild(partners);
    await harness.site('activate', blocksVersion(2));
    const { code, err } = await harness.site('activate', 'mfe-partners', '--if-live', 'r1');
    expect(code).toBe(1);
    expect(err).toContain('"r2" by olivia is live');
    expect(err).toContain(`(mfe-blocks ${first.version} → ${blocks(2).version})`);
    expect((await harness.site('activate', 'mfe-partners', '--if-live', 'r2')).code).toBe(0);
  });

  test('the same --key returns the first response and acts once', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.registry.publish(blocks(3));
    await harness.site('activate', blocksVersion(2));
    await harness.site('activate', blocksVersion(3));
    const rollback = ['rollback', 'mfe-blocks', '--reason', 'it blinks', '--key', 'run-1'];
    const first = await harness.site(...rollback);
    const second = await harness.site(...rollback);
    expect(first.out).toContain('r4 is live');
    expect(second.out).toContain('r4 is live');
    expect((await harness.site('history')).out).not.toContain('r5');
  });

  test('a retired app that another user restored first is not rolled back', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.site('activate', blocksVersion(2));
    await harness.site('retire', 'mfe-blocks', '--yes', '--reason', 'by mistake');
    const rollback = ['rollback', 'mfe-blocks', '--reason', 'it was a mistake'];
    harness.beforeNextChange(async () => expect(await harness.site(...rollback)).toMatchObject({ code: 0 }));
    const late = await harness.site(...rollback);
    expect(late).toMatchObject({ code: 1, out: '' });
    expect(late.err).toMatch(/is not retired on "production" any more: .*\(version_not_live\)/);
    expect((await harness.site('status')).out).toContain(blocks(2).version);
    expect((await harness.site('versions', 'mfe-blocks')).out).not.toContain('quarantined');
  });

  test('repeating a rollback by hand does not roll back the good version as well', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.registry.publish(blocks(3));
    await harness.site('activate', blocksVersion(2));
    await harness.site('activate', blocksVersion(3));
    await harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks');
    const again = await harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks');
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/was rolled back by olivia .*\(r4: "it blinks"\).*\(rolled_back_already\)/);

    const named = await harness.site('rollback', blocksVersion(2), '--reason', 'blinks as well');
    expect(named.out).toContain(`mfe-blocks ${blocks(2).version} → ${blocks(1).version}`);
  });

  test('of two concurrent rollbacks one is made, because the other was meant for the replaced version', async () => {
    await harness.registry.startSite();
    for (const contents of [2, 3]) {
      await harness.registry.publish(blocks(contents));
      await harness.site('activate', blocksVersion(contents));
    }
    const ran = await Promise.all([
      harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks'),
      harness.site('rollback', 'mfe-blocks', '--reason', 'the form is gone'),
    ]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect((await harness.site('status')).out).toContain(blocks(2).version);
  });

  test('a rollback that names a version is rejected if another version is live', async () => {
    await harness.registry.startSite();
    const { code, err } = await harness.site('rollback', blocksVersion(2), '--reason', 'it blinks');
    expect(code).toBe(1);
    expect(err).toContain('(version_not_live)');
  });

  const heartbeat = (edge: string, release: string) =>
    harness.registry.send('PUT', `/v1/edges/${edge}`, { body: { channel: 'production', release } });
  async function withSilentEdge() {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.startEdge();
    await harness.site('activate', blocksVersion(2));
    await heartbeat('edge-2', 'r2');
    harness.registry.clock.now = new Date(harness.registry.clock.now.getTime() + 40_000);
    await heartbeat('edge-1', 'r2');
  }
  const rollBack = (...more: string[]) =>
    harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks', ...more);

  test('a rollback with an unreachable edge prints its result, names that edge, and exits with 3', async () => {
    await withSilentEdge();
    const { code, out, err } = await rollBack();
    expect(code).toBe(3);
    expect(out).toContain('r3 is live on production');
    expect(out).toContain('quarantined: mfe-blocks@');
    expect(out).toMatch(/every responding edge \(1\) serves it after \d+ ms/);
    expect(out).toContain('edge-2 has been unreachable since 2026-01-01 12:00:00 UTC; it served r2 then');
    expect(err).toMatch(
      /edge-2 \(r2\), last report at .*loads the live release before it serves requests.*\(edges_silent\)/,
    );
  });

  test('its JSON is complete as well and names the edge', async () => {
    await withSilentEdge();
    const { code, out, err } = await rollBack('--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      release: { id: 'r3' },
      edges: 1,
      lagging: [],
      silent: ['edge-2'],
    });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'edges_silent' } });
  });

  test('after a lost edge is forgotten, rollbacks exit with 0 again', async () => {
    await withSilentEdge();
    expect((await harness.site('edge', 'list')).out).toMatch(
      /edge-2 +r2 +- +silent since 2026-01-01 12:00:00 UTC/,
    );
    await heartbeat('edge-1', 'r2');
    const refused = await harness.site('edge', 'forget', 'edge-1', '--reason', 'a slip');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('(edge_alive)')]);
    const forgotten = await harness.site('edge', 'forget', 'edge-2', '--reason', 'burnt down');
    expect(forgotten.out).toBe('edge-2, unreachable since 2026-01-01 12:00:00 UTC, is forgotten\n');
    expect((await harness.site('edge', 'list')).out).not.toContain('edge-2');
    const { code, out } = await rollBack();
    expect(code).toBe(0);
    expect(out).toMatch(/every edge \(1\) serves it after/);
  });

  test('reports an unreachable edge that may still serve the previous release', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    await harness.startEdge();
    await heartbeat('edge-2', 'r1');
    harness.registry.clock.now = new Date(harness.registry.clock.now.getTime() + 60_000);
    await heartbeat('edge-1', 'r1');
    const { code, out } = await harness.site('activate', blocksVersion(2));
    expect(code).toBe(0);
    expect(out).toContain('every responding edge (1) serves it');
    expect(out).toContain('edge-2 has been unreachable since 2026-01-01 12:00:00 UTC; it served r1 then');
  });
});
