import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { readHeading, readTitle } from './harness/site-pages.ts';
import { repository, startSite, type Site } from './harness/site.ts';
import { newVisitor, open } from './harness/visitor.ts';

/** A team creates a remote in its checkout, and publishes it to the running site. */

const run = promisify(execFile);
const pinnedNode = join(repository, 'node_modules/.bin/node');
const bin = (name: string) => join(repository, 'node_modules/.bin', name);

let checkout: CheckoutCopy;
let browser: Browser;
let site: Site;

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  site = await startSite({ root: checkout.root });
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await checkout.remove();
});

/** Runs a command in the root of the team's checkout. @returns its output. @throws Error if it fails. */
async function inCheckout(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(command, args, {
    cwd: checkout.root,
    env: { ...process.env, NODE_ENV: 'test' },
    maxBuffer: 32 * 1024 * 1024,
  });
  return stdout;
}

async function html(path: string): Promise<string> {
  return (await fetch(`${site.url}${path}`)).text();
}

test('one command creates the remote, and prints the next steps', async () => {
  expect((await fetch(`${site.url}/careers`, { redirect: 'manual' })).headers.get('location')).toBe('/home');
  const printed = await inCheckout(
    ...([pinnedNode, 'delivery/local/src/new-remote.ts', 'mfe-careers'] as const),
    ...['--owner', 'people', '--path', '/careers'],
  );
  expect(printed).toContain('mfe-careers/remote.config.ts');
  expect(printed).toContain('npx @site/cli publish mfe-careers --activate');
});

test('npm accepts it: the lock file and the installed packages match', async () => {
  const { dependencies } = JSON.parse(await inCheckout('npm', 'ls', 'mfe-careers', '--json')) as {
    dependencies: Record<string, { version: string; resolved: string }>;
  };
  expect(dependencies['mfe-careers']).toMatchObject({ version: '1.0.0', resolved: 'file:../mfe-careers' });
});

test('its types and its style are correct', async () => {
  const config = join(checkout.root, 'tsconfig.new.json');
  const include = ['mfe-careers/**/*', 'shared/build/assets.d.ts', 'shared/testing/src/setup-dom.ts'];
  await writeFile(config, JSON.stringify({ extends: './shared/build/tsconfig.json', include }));
  expect(await inCheckout(pinnedNode, bin('tsc'), '--noEmit', '-p', config)).toBe('');
  expect(await inCheckout(pinnedNode, bin('prettier'), '--list-different', 'mfe-careers')).toBe('');
});

test('its tests pass, including its contract test', async () => {
  const report = join(checkout.root, 'report.json');
  await inCheckout(
    ...([pinnedNode, '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'] as const),
    ...['--selectProjects=browser', '--testPathPatterns', 'mfe-careers', '--json', `--outputFile=${report}`],
  );
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    numPassedTests: number;
    numTotalTests: number;
    testResults: { name: string }[];
  };
  expect(numPassedTests).toBe(numTotalTests);
  expect(testResults.map(({ name }) => name.split('/mfe-careers/')[1]).sort()).toEqual([
    'src/contract.test.ts',
    'src/pages/careers-page.test.tsx',
  ]);
});

test('publishing and activating it adds its page to the running site, and changes no other app', async () => {
  // For the visitor below, who navigates to it from another team's page.
  const action = "{ label: 'Start Building Free', to: '/start/' }";
  const link = "{ label: 'Made elsewhere', to: '/made-elsewhere' }";
  await checkout.edit('mfe-careers/src/pages/careers-page.tsx', action, link);
  const before = await apps();
  expect(await site.cli('publish', 'mfe-careers')).toMatchObject({ code: 0 });
  expect(await site.cli('activate', 'mfe-careers', '--reason', 'we hire')).toMatchObject({ code: 0 });
  const { 'mfe-careers': careers, ...others } = await apps();
  expect(careers).toMatch(/^1\.0\.0-[0-9a-f]{12}$/);
  expect(others).toEqual(before);

  const page = await html('/careers');
  expect(readHeading(page)).toBe('Careers');
  expect(readTitle(page)).toMatch(/^Careers/);
  expect(await html('/sitemap.xml')).toContain(`<loc>${site.url}/careers</loc>`);
});

async function apps(): Promise<Record<string, string>> {
  const { stdout } = await site.cli('status', '--json');
  return (JSON.parse(stdout) as { release: { apps: Record<string, string> } }).release.apps;
}

test('a visitor opens the page, leaves it and returns within one document', async () => {
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await open(visitor, `${site.url}/careers`);
  await page.getByRole('heading', { level: 1, name: 'Careers' }).waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  await page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Every backend part' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Careers' }).waitFor();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('the next remote cannot have the same path', async () => {
  const second = inCheckout(
    ...([pinnedNode, 'delivery/local/src/new-remote.ts', 'mfe-jobs'] as const),
    ...['--owner', 'people', '--path', '/careers'],
  );
  await expect(second).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is a page of mfe-careers, which belongs to people') as string,
  });
});

describe('a remote built by Rspack, in a separate folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-rspack-'));
    await cp(join(repository, 'tests/fixtures/mfe-rspack'), folder, { recursive: true });
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function inFolder(...args: string[]): Promise<string> {
    const env = { ...process.env, SITE_REGISTRY: site.registry, DATA_DIR: site.dataDir };
    const command = join(repository, 'delivery/cli/bin/site.mjs');
    return (await run(pinnedNode, [command, ...args], { cwd: folder, env })).stdout;
  }

  test('is built by its own tool, packed and published, and its page is live next to the others', async () => {
    const before = await apps();
    const printed = await inFolder('publish');
    expect(printed).toMatch(/published mfe-rspack@1\.0\.0-[0-9a-f]{12}/);
    expect(printed).toContain('entry of mfe-rspack');
    await inFolder('activate', '--reason', 'another bundler');
    const { 'mfe-rspack': version, ...others } = await apps();
    expect(version).toMatch(/^1\.0\.0-[0-9a-f]{12}$/);
    expect(others).toEqual(before);

    const page = await html('/made-elsewhere');
    expect(readHeading(page)).toBe('Made elsewhere');
    expect(await html('/sitemap.xml')).toContain(`<loc>${site.url}/made-elsewhere</loc>`);
  });

  test('packing it again results in the same version', async () => {
    const { 'mfe-rspack': version } = await apps();
    expect(JSON.parse(await inFolder('pack', '--json'))).toEqual({ app: 'mfe-rspack', version });
    expect(await inFolder('publish', '--no-build')).toContain(`was published before: mfe-rspack@${version}`);
  });

  test('its page and a lazy part of it work for a visitor', async () => {
    const visitor = await newVisitor(browser);
    const { page } = visitor;
    await open(visitor, `${site.url}/made-elsewhere`);
    await page.getByRole('button', { name: 'Pressed 0 times' }).click();
    const button = page.getByRole('button', { name: 'Pressed 1 times' });
    expect(await button.evaluate((each) => getComputedStyle(each).borderTopColor)).toBe('rgb(1, 2, 3)');
    await page.getByRole('button', { name: 'Show details' }).click();
    await page.getByText('These details came in a file of their own.').waitFor();
    // The page's policy would have reported a script without integrity, and the browser an unused preload.
    expect(visitor.problems()).toEqual([]);
    await visitor.close();
  });

  test("opens by a click on another team's page, and leaves by a click, within one document", async () => {
    const visitor = await newVisitor(browser);
    const { page } = visitor;
    await open(visitor, `${site.url}/careers`);
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await page.getByRole('link', { name: 'Made elsewhere' }).click();
    await page.getByRole('heading', { level: 1, name: 'Made elsewhere' }).waitFor();
    await page.getByRole('button', { name: 'Pressed 0 times' }).click();
    const button = page.getByRole('button', { name: 'Pressed 1 times' });
    expect(await button.evaluate((each) => getComputedStyle(each).borderTopColor)).toBe('rgb(1, 2, 3)');

    await page.getByRole('link', { name: 'To the blocks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Every backend part' }).waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(visitor.problems()).toEqual([]);
    await visitor.close();
  });

  test('if one of its files fails to load, its entry runs again and succeeds', async () => {
    const visitor = await newVisitor(browser);
    const { context, page } = visitor;
    let isSecond = false;
    await context.route(/\/assets\/mfe-rspack\//, async (route) => {
      const url = route.request().url();
      isSecond ||= url.includes('?attempt=');
      await (isSecond || !url.includes('__federation_expose') ? route.continue() : route.abort());
    });
    await open(visitor, `${site.url}/careers`);
    await page.getByRole('link', { name: 'Made elsewhere' }).click();
    await page.getByRole('button', { name: 'Pressed 0 times' }).click();
    await page.getByRole('button', { name: 'Pressed 1 times' }).waitFor();
    expect(isSecond).toBe(true);
    await visitor.close();
  });
});
