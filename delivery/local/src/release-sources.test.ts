import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RegistryRefusal } from '@site/cli/cli-error';
import { blocks, createSiteHarness } from '@site/cli/testing/site-harness';
import type { Brand, RemoteManifest, ShellManifest } from '@site/contract';
import { siteConfig } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { forEachTest } from '@site/server/testing/for-each-test';
import { releaseSources } from './release-sources.ts';

/** `npm start` with a checkout's builds, against a real registry. */
const harness = forEachTest(createSiteHarness);

const partners = (contents: number) => remoteManifest('mfe-partners', { contents });

/** Starts with these builds. Returns the live release and the output. */
async function start(...builds: (RemoteManifest | ShellManifest)[]): Promise<Started> {
  return startAs({ keepsBrand: true }, ...builds);
}

interface Started {
  live: string;
  lines: string[];
}

async function startAs(
  { brand, keepsBrand }: { brand?: Brand; keepsBrand: boolean },
  ...builds: (RemoteManifest | ShellManifest)[]
): Promise<Started> {
  for (const build of builds) await harness.writeBuild(build);
  const lines: string[] = [];
  const live = await releaseSources({
    registryUrl: harness.url,
    token: harness.registry.tokens.ops,
    root: harness.root,
    apps: ['shell', 'mfe-blocks', 'mfe-partners'],
    config: { ...siteConfig, ...(brand ? { brand } : {}) },
    keepsBrand,
    log: (line) => lines.push(line),
  });
  return { live, lines };
}

async function channel() {
  return (await harness.registry.send('GET', '/v1/channels/production')).body;
}
const liveVersions = async () => (await channel()).release.apps;

const ops = async (...args: string[]) => {
  const { code, err } = await harness.site(...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
};

test('with nothing live, an error ends the start: there is nothing to serve', async () => {
  const thief = remoteManifest('mfe-partners', { paths: ['/blocks'] });
  await expect(start(shellManifest(), blocks(1), thief)).rejects.toThrow(RegistryRefusal);
  expect((await channel()).state.live).toBeNull();
});

describe('a site that has been started', () => {
  beforeEach(async () => {
    await start(shellManifest(), blocks(1), partners(1));
    await harness.startEdge();
  });

  /** The builds of the first start are live as r1; version 2 of mfe-blocks is its canary r2. */
  async function startCanary(): Promise<void> {
    await harness.writeBuild(blocks(2));
    await ops('publish', 'mfe-blocks', '--no-build');
    await ops('activate', 'mfe-blocks', '--canary', '10%');
  }

  test('without changes it publishes and releases nothing', async () => {
    expect(await start()).toEqual({ live: 'r1', lines: [] });
  });

  test('the brand is kept until another file is set', async () => {
    const shown = async () => (await channel()).release.config.brand?.name;
    const ofCheckout = { name: 'Of the checkout' };
    // A site of an older version has none.
    await startAs({ brand: ofCheckout, keepsBrand: true });
    expect(await shown()).toBe('Of the checkout');
    const file = join(harness.root, 'acme.json');
    await writeFile(file, JSON.stringify({ name: 'Acme' }));
    await ops('config', 'set', '--brand', file, '--reason', 'we are Acme');
    expect((await startAs({ brand: ofCheckout, keepsBrand: true })).lines).toEqual([]);
    expect(await shown()).toBe('Acme');
    await startAs({ brand: { name: 'Named' }, keepsBrand: false });
    expect(await shown()).toBe('Named');
  });

  test('a canary of this checkout continues with its version, and the site starts', async () => {
    await startCanary();
    const { live, lines } = await start();
    expect(live).toBe('r1');
    expect(lines).toEqual([expect.stringContaining(`mfe-blocks@${blocks(2).version} stays a canary`)]);
    expect(lines[0]).toMatch(/"npx @site\/cli promote mfe-blocks".*"npx @site\/cli abort mfe-blocks"/);
    expect((await channel()).state.canaries).toEqual([{ release: 'r2', app: 'mfe-blocks', share: 10 }]);
  });

  test('an app that a canary changes stays unchanged, with the remedy, and the others become live', async () => {
    await startCanary();
    const { live, lines } = await start(blocks(3), partners(2));
    expect(await liveVersions()).toMatchObject({
      'mfe-blocks': blocks(1).version,
      'mfe-partners': partners(2).version,
    });
    expect(lines.filter((line) => line.includes('stays as it is'))).toEqual([
      expect.stringMatching(/^mfe-blocks stays as it is: The canary "r2" of .*"npx @site\/cli abort <app>"/),
    ]);
    expect((await channel()).state.live).toBe(live);
    expect((await channel()).state.canaries[0]?.share).toBe(10);
  });

  test('while everything is frozen, the site starts with the live release', async () => {
    await ops('freeze', '--reason', 'holidays');
    const { live, lines } = await start(blocks(2), partners(2));
    expect(live).toBe('r1');
    const told =
      /stays as it is: Everything on "production" was frozen .*"holidays".*"npx @site\/cli unfreeze /;
    expect(lines.filter((line) => !line.startsWith('published '))).toEqual([
      expect.stringMatching(told),
      expect.stringMatching(told),
    ]);
  });

  test('while one app is frozen, the others become live', async () => {
    await ops('freeze', 'mfe-blocks', '--reason', 'broken on phones');
    await start(blocks(2), partners(2));
    expect(await liveVersions()).toMatchObject({
      'mfe-blocks': blocks(1).version,
      'mfe-partners': partners(2).version,
    });
  });

  test('a retired app stays retired, whatever its sources', async () => {
    await ops('retire', 'mfe-blocks', '--reason', 'unused');
    expect(await start()).toEqual({
      live: 'r2',
      lines: [
        expect.stringMatching(
          /^mfe-blocks@\S+ stays out: mfe-blocks is retired \("npx @site\/cli activate mfe-blocks@/,
        ),
      ],
    });
    await start(blocks(2));
    expect(await liveVersions()).not.toHaveProperty('mfe-blocks');
  });

  test('a page that moved to another app in the sources becomes live there in one start', async () => {
    const without = remoteManifest('mfe-blocks', { paths: ['/blocks'], contents: 4 });
    const more = remoteManifest('mfe-partners', { paths: ['/partners', '/blocks/auth'], contents: 4 });
    const { lines } = await start(without, more);
    expect(lines.filter((line) => line.includes('stays'))).toEqual([]);
    expect(await liveVersions()).toMatchObject({
      'mfe-blocks': without.version,
      'mfe-partners': more.version,
    });
  });

  test('an app that does not render, or may not be published, stays unchanged', async () => {
    harness.registry.composer.broken.add('/blocks');
    const { live, lines } = await start(blocks(2), { ...partners(1), owner: 'another-team' });
    expect(live).toBe('r1');
    expect(lines.filter((line) => line.includes('stays as it is'))).toEqual([
      expect.stringMatching(/^mfe-partners stays as it is: .*was published before with other contents/),
      expect.stringMatching(/^mfe-blocks stays as it is: /),
    ]);
  });
});
