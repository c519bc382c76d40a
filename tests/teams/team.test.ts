import { bucketAt } from '@site/edge/testing/bucket-at';
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteManifest } from '@site/contract';
import { buildPackages } from '@site/packages/build-packages';
import { publishingEnv } from '@site/packages/npm';
import { publishPackages } from '@site/packages/publish-packages';
import { publishedPackages, type PublishedPackage } from '@site/packages/workspace';
import { startGitHubJob } from '@site/registry/testing/github-job';
import { startOpenIdProvider } from '@site/registry/testing/openid-provider';
import { copyCheckout, type CheckoutCopy } from '../e2e/harness/checkout-copy.ts';
import { startDevServerIn } from '../e2e/harness/dev-server.ts';
import { startSite, type Site } from '../e2e/harness/site.ts';
import { until } from '../e2e/harness/until.ts';
import { open, visitors, type Visitor } from '../e2e/harness/visitor.ts';
import { nextMinor, nextRelease } from './harness/next-release.ts';
import { createNpmConfiguration } from './harness/npm-configuration.ts';
import { createOwnRepository, type OwnRepository } from './harness/own-repository.ts';
import { runJob } from './harness/run-job.ts';

/**
 * The life of a remote in a team's repository, from `npm create` to retirement: with packages from the site's registry, a
 * running site, and nothing of this repository. The tests depend on each other.
 */
let npm: Record<string, string>;
/** npm's, with the token of those who publish the shell. */
let publishing: NodeJS.ProcessEnv;
let team: OwnRepository;
let scratch: string;
let packages: PublishedPackage[];
/** The operators' repository of the site. */
let checkout: CheckoutCopy;
let site: Site;
/** Cleanup in reverse order, even after failures. */
const ends: (() => Promise<unknown>)[] = [];
const newVisitor = visitors();

/** Jest runs in the root of the repository. */
const root = process.cwd();
/** Packages that a remote and the shell must agree on. */
const agreed = ['@site/contract', '@site/kit', '@site/ui'];

const page = 'src/pages/careers-page.tsx';
const data = 'src/pages/careers-page.data.ts';
const texts = {
  template: 'Say in one sentence what a visitor finds here.',
  first: 'Meet the people.',
  second: 'Meet everybody.',
  third: 'Meet us all.',
};

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'site-packages-'));
  ends.push(() => rm(scratch, { recursive: true, force: true }));
  packages = publishedPackages().map((one) => ({ ...one, built: join(scratch, 'today', one.folder) }));
  checkout = await copyCheckout();
  ends.push(checkout.remove);
  site = await startSite({ root: checkout.root });
  ends.push(site.stop);
  const configuration = await createNpmConfiguration(`${site.registry}/npm/`);
  ends.push(configuration.remove);
  npm = configuration.env;
  await buildPackages(packages);
  publishing = publishingEnv({
    ...npm,
    SITE_REGISTRY: site.registry,
    SITE_TOKEN: (await operate('token', 'create', 'packages', '--scope', 'publish:shell')).trim(),
  });
  await publishPackages(packages, [], publishing);
  team = await createOwnRepository({
    ...npm,
    SITE_URL: site.url,
    SITE_REGISTRY: site.registry,
    SITE_TOKEN: await teamToken(),
  });
  ends.push(team.remove);
  await team.run(
    ...(['npm', 'create', '--yes', '@site/remote', '--'] as const),
    ...['--name', 'mfe-careers', '--owner', 'people', '--path', '/careers'],
  );
  await team.install();
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** The operators' setup for a new team. */
async function teamToken(): Promise<string> {
  await operate('app', 'create', 'mfe-careers', '--owner', 'people', '--paths', '/careers/*');
  const scopes = ['publish:mfe-careers', 'activate:mfe-careers'];
  return (await operate('token', 'create', 'people', '--scope', ...scopes)).trim();
}

async function operate(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await site.cli(...args);
  if (code !== 0) throw new Error(`site ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs `site <args>` in the team's folder, without npx for speed; one test covers npx. */
const run = (...args: string[]) => team.run('site', ...args);

/** @param output of `site publish`. @returns the published version. */
function publishedIn(output: string): string {
  const [, version = 'none'] = /^published mfe-careers@(1\.0\.0-[0-9a-f]{12})$/m.exec(output) ?? [];
  return version;
}

/** A visitor with the page open. @param bucket of the canary; default: random. */
async function visit(bucket?: number): Promise<Visitor> {
  const visitor = await newVisitor();
  if (bucket !== undefined)
    await visitor.context.addCookies([{ name: 'bucket', value: String(bucket), url: site.url }]);
  await open(visitor, `${site.url}/careers`);
  return visitor;
}

async function expectShown({ page: shown, problems }: Visitor, text: string): Promise<void> {
  await shown.getByRole('main').getByText(text).waitFor();
  expect(problems()).toEqual([]);
}

async function builtVersion(): Promise<RemoteManifest> {
  return JSON.parse(await team.read('dist/version.json')) as RemoteManifest;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Files below a folder that contain one of these texts. */
async function filesNaming(folder: string, ...names: string[]): Promise<string[]> {
  const files = await filesBelow(join(team.folder, folder));
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, index) => names.some((name) => contents[index]?.includes(name)));
}

describe('the packages of the registry', () => {
  test('skips versions that exist already', async () => {
    const results = await publishPackages(packages.slice(0, 2), [], publishing);
    expect(results.map(({ result }) => result)).toEqual(['there already', 'there already']);
  });

  test('rejects an existing version with other contents, and publishes no other package then', async () => {
    const [contract, kit] = packages as [PublishedPackage, PublishedPackage];
    const changed = { ...contract, built: join(scratch, 'changed') };
    await cp(contract.built, changed.built, { recursive: true });
    await writeFile(join(changed.built, 'src/loopback.js'), 'export const changed = true;\n');
    const next = await nextRelease(kit, packages, join(scratch, 'refused'));
    await expect(publishPackages([next, changed], [], publishing)).rejects.toThrow(
      /^Nothing was published\.\n@site\/contract@\S+ is in the registry with other contents \(src\/loopback\.js\)/,
    );
    const versions = await team.run('npm', 'view', '@site/kit', 'versions', '--json');
    expect([JSON.parse(versions)].flat()).toEqual([kit.packageJson.version]);
  });
});

describe('the folder', () => {
  test("has its packages from the site's registry, and no links outside of it", async () => {
    expect(await team.read('.npmrc')).toContain(`@site:registry=${site.registry}/npm/\n`);
    const own = await realpath(team.folder);
    const entries = await readdir(join(own, 'node_modules'), { recursive: true, withFileTypes: true });
    const links = entries.filter((entry) => entry.isSymbolicLink());
    const targets = await Promise.all(links.map(({ parentPath, name }) => realpath(join(parentPath, name))));
    expect(targets.filter((target) => !target.startsWith(`${own}/node_modules/`))).toEqual([]);
    expect(await filesNaming('node_modules/@site', root, scratch)).toEqual([]);
    // Without packages needed only for creating it.
    const names = packages.map(({ packageJson }) => packageJson.name).sort();
    expect((await readdir(join(own, 'node_modules/@site'))).map((name) => `@site/${name}`).sort()).toEqual(
      names.filter((name) => name !== '@site/create-remote'),
    );
  });

  // Its tests use the build, or build it themselves.
  test.each(['lint', 'typecheck', 'build', 'test'])('passes npm run %s', async (script) => {
    await team.run('npm', 'run', script);
  });

  test('has the command line, which npx finds', async () => {
    expect(await team.run('npx', '@site/cli', '--help')).toContain('Usage: site [options] [command]');
    const cli = packages.find(({ packageJson }) => packageJson.name === '@site/cli');
    expect((await team.run('npx', '@site/cli', '--version')).trim()).toBe(cli?.packageJson.version);
  });

  test('has modules that Node can import, if they need no browser and no styles', async () => {
    const names = [
      '@site/contract',
      '@site/contract/registry-calls/registry-calls',
      '@site/kit',
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

  test('has packages with correct types that report errors', async () => {
    await team.write({
      'src/wrong.tsx': `import { Hero } from '@site/ui/hero';\nexport const hero = <Hero title={() => 3} />;\n`,
      'tsconfig.all.json': JSON.stringify({
        extends: './tsconfig.json',
        // Checks the packages' types, but not the compiler's own.
        compilerOptions: { types: ['node'], skipLibCheck: false, skipDefaultLibCheck: true },
        files: [],
        include: ['remote.config.ts', page, 'src/wrong.tsx', 'node_modules/@site/build/assets.d.ts'],
      }),
    });
    await expect(team.run('tsc', '--noEmit', '--project', 'tsconfig.all.json')).rejects.toThrow(
      /^tsc [^\n]*:\nsrc\/wrong\.tsx\(2,33\): error TS2322: .*\n$/,
    );
    for (const file of ['src/wrong.tsx', 'tsconfig.all.json']) await rm(join(team.folder, file));
  });
});

test('a folder from pnpm create is installed, checked and published with pnpm', async () => {
  await operate('app', 'create', 'mfe-jobs', '--owner', 'people', '--paths', '/jobs/*');
  const jobs = await createOwnRepository({
    ...npm,
    SITE_REGISTRY: site.registry,
    SITE_TOKEN: (await operate('token', 'create', 'jobs', '--scope', 'publish:mfe-jobs')).trim(),
    pnpm_config_store_dir: join(scratch, 'pnpm-store'),
    // The packages are younger than the age that pnpm requires.
    pnpm_config_minimum_release_age: '0',
  });
  ends.push(jobs.remove);
  const pnpm = (...args: string[]) => jobs.run('npx', '--yes', 'pnpm@12.21.0', ...args);
  await pnpm('create', '@site/remote', '--name', 'mfe-jobs', '--owner', 'people', '--path', '/jobs');
  await pnpm('install');
  for (const script of ['lint', 'typecheck', 'test']) await pnpm('run', script);
  expect(await pnpm('exec', 'site', 'publish')).toMatch(/^published mfe-jobs@1\.0\.0-/m);
});

test('Yarn installs a package of the registry', async () => {
  const folder = await createOwnRepository(npm);
  ends.push(folder.remove);
  await folder.write({
    'package.json': JSON.stringify({ dependencies: { '@site/contract': '*' } }),
    'yarn.lock': '',
    '.yarnrc.yml': [
      'nodeLinker: node-modules',
      'unsafeHttpWhitelist: [localhost]',
      // The packages are younger than the age that Yarn requires.
      'npmPreapprovedPackages: ["@site/*"]',
      `npmRegistryServer: ${(await folder.run('npm', 'config', 'get', 'registry')).trim()}`,
      `npmScopes: { site: { npmRegistryServer: "${site.registry}/npm/" } }`,
    ].join('\n'),
  });
  await folder.run('npx', '--yes', '@yarnpkg/cli-dist@4.18.1', 'install');
  const [contract] = packages as [PublishedPackage];
  expect(JSON.parse(await folder.read('node_modules/@site/contract/package.json'))).toMatchObject({
    version: contract.packageJson.version,
  });
});

test("a changed text hot-reloads in a developer's open page", async () => {
  const server = await startDevServerIn(
    team.folder,
    join(team.folder, 'node_modules/@site/build/bin/site-dev.mjs'),
    team.env,
  );
  try {
    const developer = await newVisitor();
    await open(developer, `${server.url}/careers`);
    await expectShown(developer, texts.template);
    await developer.page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await team.edit(data, texts.template, texts.first);
    await expectShown(developer, texts.first);
    expect(await developer.page.evaluate(() => 'sameDocument' in window)).toBe(true);
    // The rest is the running site.
    await developer.page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).waitFor();
  } finally {
    await server.stop();
  }
});

describe('on the site', () => {
  let first: string;
  let second: string;

  test('it is checked and published, and a preview shows it to anyone with the link', async () => {
    expect(await run('check')).toMatch(/^mfe-careers@\S+ can be published\n/);
    // The checked build is published.
    first = publishedIn(await run('publish', '--no-build'));
    expect(await run('versions')).toMatch(new RegExp(`^${first} `, 'm'));
    const { page: shown, problems } = await newVisitor();
    await shown.goto((await run('preview')).trim());
    await shown.getByRole('button', { name: 'Show the preview' }).click();
    await shown.waitForURL('**/careers');
    await shown.getByRole('main').getByText(texts.first).waitFor();
    expect(problems()).toEqual([]);
    // Others do not see it.
    const answer = await fetch(`${site.url}/careers`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/home');
  });

  test('a tenth of the visitors see it, then all', async () => {
    const output = await run('activate', '--canary', '10%');
    const at = (place: number) => bucketAt(place, /^(r\d+) is a canary/m.exec(output)?.[1] ?? '');
    await expectShown(await visit(at(999)), texts.first);
    const outside = await fetch(`${site.url}/careers`, {
      headers: { cookie: `bucket=${at(1_000)}` },
      redirect: 'manual',
    });
    expect(outside.headers.get('location')).toBe('/home');
    await run('promote');
    const visitor = await visit(at(1_000));
    await expectShown(visitor, texts.first);
    await visitor.page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await visitor.page.waitForURL('**/blocks');
    expect(visitor.problems()).toEqual([]);
    expect(await (await fetch(`${site.url}/sitemap.xml`)).text()).toContain(`<loc>${site.url}/careers</loc>`);
    expect(await run('versions')).toMatch(new RegExp(`^${first} .* live`, 'm'));
    // Reports arrive some seconds after the response.
    await until(async () => expect(await run('health')).toContain('mfe-careers'));
  });

  test('its pipeline publishes the next version, with its own drawing and style', async () => {
    await team.write({
      'src/pages/bridge.art.tsx': `import { art } from '@site/ui/art';
import { Brick, Drawing } from '@site/ui/blocks/primitives';

export const bridge = art(
  <Drawing viewBox="0 0 40 20">
    <Brick hue="blue" at={[0, 0, 0]} size={[1, 1, 1]} />
  </Drawing>,
);
`,
    });
    const styles = "import styles from './careers-page.module.css';";
    await team.edit(page, styles, `import { bridge } from './bridge.art.tsx';\n${styles}`);
    const questions = '<div className={styles.questions}>';
    await team.edit(page, questions, `${questions}\n          <Picture art={bridge} />`);
    await team.edit(
      'src/pages/careers-page.module.css',
      'max-width: var(--measure);',
      'max-width: var(--measure);\n  border-color: var(--signal-text);',
    );
    await team.edit(data, texts.first, texts.second);
    await team.run('npm', 'run', 'lint');
    second = await publishFromMain();

    const { assets } = await builtVersion();
    const names = assets.map(({ path }) => path.replace(/\.[0-9a-f]{12}\./, '.'));
    expect(names).toEqual(expect.arrayContaining(['bridge.svg', 'stack-scene.svg', 'styles.css']));
    const css = await team.read(
      join('dist/browser', assets.find(({ path }) => path.endsWith('.css'))?.path ?? ''),
    );
    expect(css).toContain('@layer components');
    expect(css).toContain('var(--signal-text)');
    expect(await filesNaming('dist', team.folder, root)).toEqual([]);

    await run('activate');
    const visitor = await visit();
    await expectShown(visitor, texts.second);
    const drawn = visitor.page.locator('#questions img');
    expect(await drawn.evaluate((image: HTMLImageElement) => image.decode().then(() => image.src))).toContain(
      'bridge.',
    );
  });

  /** Like a push to the main branch of `acme/careers`, after ops trusted it. */
  async function publishFromMain(): Promise<string> {
    const provider = await startOpenIdProvider();
    const subject = 'repo:acme/careers:ref:refs/heads/main';
    const claims = { repository: 'acme/careers', ref: 'refs/heads/main', sha: 'c'.repeat(40), run_id: '42' };
    const job = await startGitHubJob(provider, subject, claims);
    try {
      await operate('trust', 'add', 'mfe-careers', '--issuer', provider.issuer, '--subject', subject);
      const version = publishedIn(await runJob(team, 'publish', { SITE_REGISTRY: site.registry }, job.env));
      expect(await run('versions')).toMatch(
        new RegExp(`^${version} .*acme/careers@c{12} \\(verified\\)`, 'm'),
      );
      return version;
    } finally {
      await job.stop();
      await provider.stop();
    }
  }

  test('it is rolled back to the previous version', async () => {
    await run('rollback', '--reason', 'not everybody');
    await expectShown(await visit(), texts.first);
    expect(await run('versions')).toMatch(
      new RegExp(`^${second} .*quarantined by people: "not everybody"`, 'm'),
    );
  });

  test('with newer packages it is rejected by an old shell and accepted by the next one', async () => {
    const changed = packages.filter(({ packageJson }) => agreed.includes(packageJson.name));
    const next = await Promise.all(changed.map((one) => nextRelease(one, changed, join(scratch, 'next'))));
    await publishPackages(next, [], publishing);
    const installed = async () =>
      (JSON.parse(await team.read('node_modules/@site/kit/package.json')) as { version: string }).version;
    const before = await installed();
    // An update stays with what the live shell offers.
    await team.run('npm', 'update', '--prefer-online', ...agreed);
    expect(await installed()).toBe(before);
    const newest = next.map(({ packageJson: { name, version } }) => `${name}@${version}`);
    await team.run('npm', 'install', '--prefer-online', ...newest);
    await team.edit(data, texts.second, texts.third);
    const refused = await run('publish').catch(String);
    for (const { name, version } of changed.map(({ packageJson }) => packageJson))
      expect(refused).toContain(`needs ${name} ^${nextMinor(version)}, the shell offers ${version}`);

    for (const { folder, packageJson } of changed) {
      const [had, then] = [packageJson.version, nextMinor(packageJson.version)];
      await checkout.edit(join(folder, 'package.json'), `"version": "${had}"`, `"version": "${then}"`);
    }
    // `site publish` would also check its types, which belong to this repository.
    await checkout.build('shell');
    await operate('publish', 'shell', '--no-build');
    await operate('activate', 'shell', '--reason', 'newer packages');
    // The build with the previous packages still works.
    await expectShown(await visit(), texts.first);

    // The same build that was rejected.
    const third = publishedIn(await run('publish', '--no-build'));
    const ranges = next.map(({ packageJson: { name, version } }) => [name, `^${version}`] as const);
    expect((await builtVersion()).requires).toMatchObject(Object.fromEntries(ranges));
    await run('activate');
    await expectShown(await visit(), texts.third);
    expect(await run('versions')).toMatch(new RegExp(`^${third} .* live`, 'm'));
  });

  test('it is retired and its path redirects; a rollback restores it', async () => {
    await run('retire', 'mfe-careers', '--to', '/about-us', '--reason', 'no openings this year');
    const answer = await fetch(`${site.url}/careers`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/about-us']);
    await run('rollback', '--reason', 'openings after all');
    await expectShown(await visit(), texts.third);
  });
});
