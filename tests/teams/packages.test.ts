import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteManifest } from '@site/contract';
import { loadApp } from '@site/build/app';
import { buildPackages } from '@site/packages/build-packages';
import { publishPackages } from '@site/packages/publish-packages';
import { publishedPackages, type PublishedPackage } from '@site/packages/workspace';
import { createHarness } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import { forEachTest } from '@site/server/testing/for-each-test';
import { careers, careersPackage } from './harness/careers.ts';
import { createOwnRepository, type OwnRepository } from './harness/own-repository.ts';
import { startNpmRegistry, type NpmRegistry } from './harness/verdaccio.ts';

/** Our packages as a team gets them: from an npm registry, in an empty folder, with nothing of this repository. */
let npm: NpmRegistry;
let team: OwnRepository;
let scratch: string;
let packages: PublishedPackage[];
/** What the build of the remote wrote, with the packages of today. */
let built: RemoteManifest;

/** Jest runs from the root of the repository. */
const root = process.cwd();

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'site-packages-'));
  packages = publishedPackages().map((one) => ({ ...one, built: join(scratch, 'today', one.folder) }));
  npm = await startNpmRegistry();
  team = await createOwnRepository(npm.env);
  await buildPackages(packages);
  await publishPackages(packages, [], npm.env);
  await team.write({ ...careers, ...careersPackage({ ...ours(), ...(await others()) }) });
  await team.install();
  await team.run('site-build');
  built = await builtVersion();
});

afterAll(async () => {
  await team.remove();
  await npm.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** Our packages, as a team's `package.json` names them. */
function ours(): Record<string, string> {
  return Object.fromEntries(packages.map(({ packageJson: { name, version } }) => [name, `^${version}`]));
}

/** What a team brings, in the versions that this repository has. */
async function others(): Promise<Record<string, string>> {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const types = ['@types/node', '@types/react', '@types/react-dom'];
  return {
    react: '^19.3.1',
    ...Object.fromEntries(types.map((name) => [name, devDependencies[name] ?? '*'])),
  };
}

async function builtVersion(): Promise<RemoteManifest> {
  return JSON.parse(await readFile(join(team.folder, 'dist/version.json'), 'utf8')) as RemoteManifest;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('in the registry', () => {
  test('what is there already is left as it is', async () => {
    const results = await publishPackages(packages.slice(0, 2), [], npm.env);
    expect(results.map(({ result }) => result)).toEqual(['there already', 'there already']);
  });

  test('a version that is there with other contents is refused, and no other package is published', async () => {
    const [contract, kit] = packages as [PublishedPackage, PublishedPackage];
    const changed = { ...contract, built: join(scratch, 'changed') };
    await cp(contract.built, changed.built, { recursive: true });
    await writeFile(join(changed.built, 'src/loopback.js'), 'export const changed = true;\n');
    const next = await newer(kit);
    await expect(publishPackages([next, changed], [], npm.env)).rejects.toThrow(
      /^Nothing was published\.\n@site\/contract@\S+ is in the registry with other contents \(src\/loopback\.js\)/,
    );
    const versions = await team.run('npm', 'view', '@site/kit', 'versions', '--json');
    expect([JSON.parse(versions)].flat()).toEqual([kit.packageJson.version]);
  });
});

describe('in a folder of a team', () => {
  test('no package is a link, and no file names a folder of this repository', async () => {
    const folder = join(team.folder, 'node_modules/@site');
    const names = await readdir(folder, { withFileTypes: true });
    expect(names.filter((entry) => entry.isSymbolicLink())).toEqual([]);
    expect(names.map(({ name }) => `@site/${name}`).sort()).toEqual(
      packages.map(({ packageJson }) => packageJson.name).sort(),
    );
    const texts = await Promise.all(
      (await filesBelow(folder)).map(async (file) => ({ file, text: await readFile(file, 'utf8') })),
    );
    expect(texts.filter(({ text }) => text.includes(root)).map(({ file }) => file)).toEqual([]);
  });

  test('the command line answers, and is what npx finds', async () => {
    expect(await team.run('npx', 'site', '--help')).toContain('Usage: site [options] [command]');
    const cli = packages.find(({ packageJson }) => packageJson.name === '@site/cli');
    expect((await team.run('site', '--version')).trim()).toBe(cli?.packageJson.version);
  });

  test('Node imports every module that needs no browser and no styles', async () => {
    const names = [
      '@site/contract',
      '@site/contract/registry-calls/registry-calls',
      '@site/kit',
      '@site/kit/brand',
      '@site/kit/host',
      '@site/ui/art',
      '@site/ui/blocks/iso',
      '@site/build/drawings/jest-transform',
      '@site/testing/jest-preset',
      '@site/testing/render-page',
    ];
    const program = `for (const name of ${JSON.stringify(names)})
      console.log(name, Object.keys(await import(name)).length > 0);`;
    const answer = await team.run('node', '--input-type=module', '--eval', program);
    expect(answer.trim().split('\n')).toEqual(names.map((name) => `${name} true`));
  });

  test('the compiler checks what a team writes against them', async () => {
    const wrong = `import { Hero } from '@site/ui/hero';\nexport const hero = <Hero title={() => 3} />;\n`;
    await team.write({ 'src/wrong.tsx': wrong });
    // Nothing else is wrong.
    await expect(team.run('tsc', '--noEmit')).rejects.toThrow(
      /^tsc --noEmit:\nsrc\/wrong\.tsx\(2,33\): error TS2322: .*\n$/,
    );
    await rm(join(team.folder, 'src/wrong.tsx'));
  });

  test('a remote is built with components, styles and drawings, ours and its own', async () => {
    const names = built.assets.map(({ path }) => path.replace(/\.[0-9a-f]{12}\./, '.'));
    expect(names).toEqual(expect.arrayContaining(['bridge.svg', 'finished-scene.svg', 'styles.css']));
    const styles = built.assets.find(({ path }) => path.endsWith('.css'))?.path ?? '';
    const css = await readFile(join(team.folder, 'dist/browser', styles), 'utf8');
    expect(css).toContain('@layer components');
    expect(css).toContain('var(--signal-text)');
    const texts = await Promise.all(
      (await filesBelow(join(team.folder, 'dist'))).map((file) => readFile(file, 'utf8')),
    );
    expect(texts.filter((text) => text.includes(team.folder))).toEqual([]);
  });
});

describe('packages of another release than the shell', () => {
  const registry = forEachTest(createHarness);
  const asked = (requires: Record<string, string>) => remoteManifest('mfe-careers', { requires });
  /** What both ways of asking are about: what the shell of today has of ours. */
  const agreed = ['@site/contract', '@site/kit', '@site/ui'];

  async function shellWith(provides: Record<string, string>): Promise<void> {
    await registry.startSite();
    const shell = shellManifest({ contents: 2, provides });
    await registry.publish(shell);
    expect((await registry.activate({ shell: shell.version })).status).toBe(201);
  }

  test('a remote that was built with the release before works with the shell of today', async () => {
    const { sharedVersions } = await loadApp(join(root, 'shell'));
    const next = agreed.map((name) => [name, nextMinor(sharedVersions[name] ?? '')] as const);
    await shellWith({ ...sharedVersions, ...Object.fromEntries<string>(next) });
    expect(Object.keys(built.requires)).toEqual(expect.arrayContaining(agreed));
    expect((await registry.publish(asked(built.requires))).status).toBe(201);
  });

  test('one that was built with a later release is refused by a shell that is too old for it', async () => {
    const later = packages.filter(({ packageJson }) => agreed.includes(packageJson.name));
    const published = await publishPackages(await Promise.all(later.map(newer)), [], npm.env);
    // As `npm update` does, which would look into its cache first: what package.json says stays as it is.
    await team.run(
      'npm',
      'install',
      '--no-save',
      ...published.map(({ name, version }) => `${name}@${version}`),
    );
    await team.run('site-build');
    const { sharedVersions } = await loadApp(join(root, 'shell'));
    await shellWith(sharedVersions);
    const { status, body } = await registry.publish(asked((await builtVersion()).requires));
    expect([status, body.errors[0]?.code]).toEqual([409, 'range_unmet']);
    for (const name of agreed) {
      const had = sharedVersions[name] ?? '';
      const sentence = `needs ${name} ^${nextMinor(had)}, the shell offers ${had}`;
      expect(body.errors[0]?.detail).toContain(sentence);
    }
  });
});

function nextMinor(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

/** The same package in its next minor version, as `npm run packages:version` would make it when all packages have changed. */
async function newer(one: PublishedPackage): Promise<PublishedPackage> {
  const folder = join(scratch, 'newer', one.folder);
  await cp(one.built, folder, { recursive: true });
  const file = join(folder, 'package.json');
  const json = JSON.parse(await readFile(file, 'utf8')) as PublishedPackage['packageJson'];
  const later = (ranges: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => {
        const other = packages.find(({ packageJson }) => packageJson.name === name);
        return [name, other ? `^${nextMinor(other.packageJson.version)}` : range];
      }),
    );
  const version = nextMinor(json.version);
  const { dependencies, peerDependencies } = json;
  const changed = {
    ...json,
    version,
    dependencies: later(dependencies),
    peerDependencies: later(peerDependencies),
  };
  await writeFile(file, JSON.stringify(changed));
  return { ...one, packageJson: { ...one.packageJson, version }, built: folder };
}
