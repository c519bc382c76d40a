import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputsHash, markBuilt } from '@site/build/stale';
import { computeIntegrity } from '@site/contract/integrity';
import { remoteManifest } from '@site/registry/testing/manifests';
import { forEachTest } from '@site/server/testing/for-each-test';
import { RegistryRefusal } from '../cli-error.ts';
import { publishApp } from '../publish.ts';
import { createRegistryClient } from '../registry-client.ts';
import { blocks, createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

async function writePackage(build: string): Promise<void> {
  const root = { private: true, type: 'module', workspaces: ['mfe-*'] };
  await writeFile(join(harness.root, 'package.json'), JSON.stringify(root));
  const blocksPackage = { name: 'mfe-blocks', version: '1.0.0', type: 'module', scripts: { build } };
  await writeFile(join(harness.root, 'mfe-blocks/package.json'), JSON.stringify(blocksPackage));
}

describe('publish', () => {
  test('uploads missing files, registers the version, and prints the changes and the next command', async () => {
    await harness.registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/forms'], contents: 2 });
    await harness.writeBuild(next);
    const { code, out, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`published mfe-blocks@${next.version}`);
    expect(out).toMatch(/files +3, of which 2 \(/);
    expect(out).toMatch(/against live +1 assets added, 1 removed, 1 unchanged/);
    expect(out).toMatch(/page +\+ \/blocks\/forms/);
    expect(out).toMatch(/page +- \/blocks\/auth/);
    expect(out).toMatch(/page size +\/blocks\/forms \d+ B in 2 files/);
    expect(out).toMatch(/rendered +2 pages/);
    expect(out).toMatch(/budget +.*\d+ B of \d+\.\d KB/);
    expect(out).toContain(`npx @site/cli activate mfe-blocks@${next.version}`);
  });

  test('reports a build with uncommitted sources', async () => {
    const commit = async (manifest: ReturnType<typeof blocks>) => {
      await harness.writeBuild(manifest);
      const { out } = await harness.site('publish', 'mfe-blocks', '--no-build');
      return /^commit .*$/m.exec(out)?.[0];
    };
    expect(await commit(blocks(2))).toBeUndefined();
    expect(await commit({ ...blocks(3), commit: null })).toMatch(
      /^commit +none: the sources have uncommitted changes$/,
    );
  });

  test('a second publish uploads nothing and reports it', async () => {
    await harness.writeBuild(blocks(2));
    await harness.site('publish', 'mfe-blocks', '--no-build');
    const { code, out } = await harness.site('publish', 'mfe-blocks', '--no-build', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ created: false, live: null, uploaded: { files: 0, bytes: 0 } });
  });

  test('uploads a damaged file again and reports it', async () => {
    await harness.writeBuild(blocks(2));
    await harness.site('publish', 'mfe-blocks', '--no-build');
    const { store } = harness.registry;
    const { get, put } = store;
    const damaged = new Set([blocks(2).server.integrity]);
    store.get = (integrity) =>
      damaged.has(integrity) ? Promise.resolve(Buffer.from('other bytes')) : get(integrity);
    store.put = async (integrity, bytes) => {
      await put(integrity, bytes);
      damaged.delete(integrity);
    };
    const { code, out } = await harness.site('publish', 'mfe-blocks', '--no-build', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ created: false }) as object]);
    expect(JSON.parse(out)).toMatchObject({ uploaded: { files: 1 } });
    expect([...damaged]).toEqual([]);
  });

  test('no further file is sent after a rejected one', async () => {
    const manifest = blocks(2);
    const texts = Array.from({ length: 12 }, (_, index) => Buffer.from(`/* file ${index} */`));
    const more = texts.map((bytes, index) => ({
      path: `file-${index}.js`,
      size: bytes.length,
      integrity: computeIntegrity(bytes),
    }));
    await harness.writeBuild({ ...manifest, assets: [...manifest.assets, ...more] });
    const browser = join(harness.root, 'mfe-blocks/dist/browser');
    for (const [index, bytes] of texts.entries()) await writeFile(join(browser, `file-${index}.js`), bytes);
    const registry = createRegistryClient({ registryUrl: harness.url, token: harness.registry.tokens.ops });
    const sent: { succeed: (answer: { integrity: string }) => void; fail: (error: Error) => void }[] = [];
    const publishing = publishApp({
      root: harness.root,
      app: 'mfe-blocks',
      build: false,
      allowStale: true,
      registry: {
        ...registry,
        putBlob: () =>
          new Promise((succeed, fail) => {
            if (sent.push({ succeed, fail }) < 4) return;
            sent[0]?.fail(new RegistryRefusal('token_invalid', 'The token was revoked.'));
          }),
      },
    });
    await expect(publishing).rejects.toThrow('The token was revoked.');
    for (const { succeed } of sent) succeed({ integrity: manifest.server.integrity });
    // Later files would be read before these.
    for (const { path } of more) await readFile(join(browser, path));
    expect(sent).toHaveLength(4);
  });

  test('an unknown app is rejected, and the known apps are listed', async () => {
    const { code, out, err } = await harness.site('publish', 'mfe-block');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('There is no app "mfe-block"');
    expect(err).toContain('shell, mfe-blocks, mfe-partners');
  });

  test('an app without a build is rejected with the build command', async () => {
    const { code, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain('npm run build -w mfe-blocks');
  });

  test('a file that was changed after the build is rejected by name, and nothing is published', async () => {
    await harness.writeBuild(blocks(2));
    await writeFile(join(harness.root, 'mfe-blocks/dist/browser/chunk.js'), 'changed');
    const { code, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain('"chunk.js" was changed after the build');
    expect((await harness.registry.send('GET', '/v1/apps/mfe-blocks/versions')).status).toBe(404);
  });

  test('an invalid version.json is rejected, and the field is named', async () => {
    await harness.writeBuild(blocks(2));
    await writeFile(
      join(harness.root, 'mfe-blocks/dist/version.json'),
      JSON.stringify({ ...blocks(2), version: 'latest' }),
    );
    const { code, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toMatch(/version\.json: version: A version id is/);
  });

  test('the build of another app is rejected', async () => {
    await harness.writeBuild(blocks(2));
    const manifest = await readFile(join(harness.root, 'mfe-blocks/dist/version.json'), 'utf8');
    await mkdir(join(harness.root, 'mfe-partners/dist'), { recursive: true });
    await writeFile(join(harness.root, 'mfe-partners/dist/version.json'), manifest);
    const { err } = await harness.site('publish', 'mfe-partners', '--no-build');
    expect(err).toContain('version.json belongs to "mfe-blocks"');
  });

  test("a path of another remote is rejected with the registry's message", async () => {
    await harness.registry.startSite();
    await harness.writeBuild(remoteManifest('mfe-blocks', { paths: ['/partners'], contents: 2 }));
    const { code, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toMatch(
      /mfe-blocks wants the path "\/partners", which belongs to mfe-partners.*\(path_taken\)/,
    );
  });

  test("a failed build is rejected with the build's output", async () => {
    await writePackage('echo no such page; exit 1');
    const { code, err } = await harness.site('publish', 'mfe-blocks');
    expect(code).toBe(1);
    expect(err).toContain('building mfe-blocks');
    expect(err).toMatch(/does not build; nothing was published[^]*no such page/);
  });

  test.each(['publish', 'check'])('"%s" rejects a type error, though the app builds', async (command) => {
    await harness.registry.startSite();
    await mkdir(join(harness.root, 'mfe-blocks/src'));
    await writePackage('true');
    await writeFile(join(harness.root, 'mfe-blocks/src/page.ts'), `export const wrong: number = 'text';\n`);
    await writeFile(join(harness.root, 'mfe-blocks/src/page.test.ts'), `const unseen: number = 'text';\n`);
    await writeFile(join(harness.root, 'mfe-partners/page.ts'), `const others: number = 'text';\n`);
    const { code, out, err } = await harness.site(command, 'mfe-blocks');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /mfe-blocks has type errors; nothing was published[^]*mfe-blocks\/src\/page\.ts\(1,14\): error TS2322: [^]*\(types_invalid\)\n$/,
    );
    expect(err.match(/error TS/g)).toHaveLength(1);
  });

  test('--no-build rejects a build that is older than its sources, except with --allow-stale', async () => {
    await harness.registry.startSite();
    const folder = join(harness.root, 'mfe-blocks');
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/page.ts'), 'export const text = 1;\n');
    await harness.writeBuild(blocks(2));
    const published = () => harness.site('publish', 'mfe-blocks', '--no-build');
    // Without sources there is nothing to compare with.
    const builder = join(harness.root, 'node_modules/@site/build');
    await rm(builder);
    expect((await published()).code).toBe(0);

    await symlink(join(process.cwd(), 'shared/build'), builder);
    const blocksPackage = { name: 'mfe-blocks', version: '1.0.0', type: 'module' };
    await writeFile(join(folder, 'package.json'), JSON.stringify(blocksPackage));
    expect((await published()).err).toMatch(/does not match the current sources.*\(build_stale\)/);
    await markBuilt(join(folder, 'dist'), await inputsHash(folder));
    expect((await published()).code).toBe(0);

    await writeFile(join(folder, 'src/page.ts'), 'export const text = 2;\n');
    for (const command of ['publish', 'check']) {
      const { code, out, err } = await harness.site(command, 'mfe-blocks', '--no-build');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/nothing was published.*--allow-stale.*\(build_stale\)/);
    }
    expect((await harness.site('publish', 'mfe-blocks', '--no-build', '--allow-stale')).code).toBe(0);
  });

  test('one page uses the singular', async () => {
    await harness.registry.startSite();
    await harness.writeBuild(remoteManifest('mfe-blocks', { paths: ['/blocks'], contents: 2 }));
    const { out } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(out).toMatch(/rendered +1 page with the live site/);
  });

  test('warns that a version was rolled back before', async () => {
    await harness.registry.startSite();
    await harness.writeBuild(blocks(2));
    await harness.site('publish', 'mfe-blocks', '--no-build');
    await harness.site('activate', 'mfe-blocks', '--no-wait');
    await harness.site('rollback', 'mfe-blocks', '--reason', 'it blinks', '--no-wait');
    const { out } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(out).toContain('quarantined by olivia: "it blinks"');
  });

  test('a page that fails to render is rejected by name', async () => {
    await harness.registry.startSite();
    harness.registry.composer.broken.add('/blocks/auth');
    await harness.writeBuild(blocks(2));
    const { code, err } = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain(`mfe-blocks@${blocks(2).version}: the page /blocks/auth cannot be rendered`);
    expect(err).toMatch(/Fix the named page, then try again[^]*\(page_not_rendered\)/);
  });
});

describe('check', () => {
  test.each([['check'], ['publish', '--dry-run']])(
    '"%s %s" prints the same as publish, and publishes nothing',
    async (...command) => {
      await harness.registry.startSite();
      await harness.writeBuild(blocks(2));
      const { code, out } = await harness.site(...command, 'mfe-blocks', '--no-build');
      expect(code).toBe(0);
      expect(out).toContain(`mfe-blocks@${blocks(2).version} can be published`);
      expect(out).toMatch(/against live +1 assets added/);
      expect(out).toMatch(/rendered +2 pages/);
      expect(out).toContain('Nothing was published');
      expect((await harness.site('status')).out).not.toContain(blocks(2).version);
    },
  );

  test('rejects the same as publish', async () => {
    await harness.registry.startSite();
    await harness.writeBuild(remoteManifest('mfe-blocks', { paths: ['/partners'], contents: 2 }));
    const { code, err } = await harness.site('check', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain('(path_taken)');
  });
});
