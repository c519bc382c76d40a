import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askForMissing } from './ask-for-missing.ts';
import { planRemote, problemOf } from './plan-remote.ts';

const repository = join(import.meta.dirname, '../../..');
const command = join(repository, 'shared/create-remote/bin/create-remote.mjs');
const careers = ['--name', 'mfe-careers', '--owner', 'people', '--path', '/careers'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'create-remote-'));
});
afterEach(() => rm(folder, { recursive: true }));

function create(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    // No terminal.
    input: '',
  });
  return { status, stdout, stderr };
}

const textOf = (path: string) => readFile(join(folder, path), 'utf8');

test("writes a complete repository with the remote's names and path", async () => {
  await mkdir(join(folder, '.git'));
  const { status, stdout, stderr } = create({}, ...careers);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const files = [
    '.github/workflows/site.yml',
    '.gitignore',
    '.npmrc',
    '.oxlintrc.json',
    '.prettierignore',
    '.prettierrc.json',
    'README.md',
    'jest.config.mjs',
    'package.json',
    'remote.config.ts',
    'src/contract.test.ts',
    'src/pages/careers-page.data.ts',
    'src/pages/careers-page.module.css',
    'src/pages/careers-page.test.tsx',
    'src/pages/careers-page.tsx',
    'tsconfig.json',
  ];
  expect(stdout).toBe(
    `${files.map((file) => `  ${file}\n`).join('')}\nmfe-careers is ready, with a page at /careers. Next: npm install, then npm test.\n` +
      'README.md explains how to publish the page.\n',
  );
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .sort(),
  ).toEqual(files);
  // No placeholder is left, and no brand: the name comes from the site's configuration.
  for (const file of files) expect(await textOf(file)).not.toMatch(/[Tt]emplate|TEMPLATE|\bBlocks\b/);
  expect(await textOf('README.md')).toContain('the page `/careers`, owned by people');
});

test('the pipeline publishes main in commit order, and documents that GitHub drops pushes in between', async () => {
  create({}, ...careers);
  const workflow = await textOf('.github/workflows/site.yml');
  // Must be above the jobs: a group for the publishing job alone lets an older commit overtake a newer one
  // during the checks.
  expect(workflow).toMatch(
    /^concurrency:\n {2}group: site-\$\{\{ github\.ref \}\}\n {2}cancel-in-progress: \$\{\{ github\.event_name == 'pull_request' \}\}$/m,
  );
  expect(workflow).not.toMatch(/^ +concurrency:/m);
  for (const text of [workflow, await textOf('README.md')]) {
    expect(text).toMatch(/only the newest is (checked and )?published/);
    expect(text).not.toMatch(/each change of main/);
  }
});

test('packages come from the configured npm registry, and a token is never written to a file', async () => {
  create({ 'npm_config_@site:registry': 'https://npm.team.test/', NPM_TOKEN: 'npm_1a2b' }, ...careers);
  expect(await textOf('.npmrc')).toMatch(/^@site:registry=https:\/\/npm\.team\.test\/$/m);
  expect(await textOf('.npmrc')).not.toContain('npm_1a2b');
});

test.each([
  ['an invalid name', ['--name', 'Careers'], /--name "Careers": An app is named/],
  ['the name of the shell', ['--name', 'shell'], /--name "shell": The shell is not a remote/],
  ['an invalid owner', ['--owner', 'Our Team'], /--owner "Our Team": An owner is a team name/],
  ['an invalid path', ['--path', 'careers'], /--path "careers": A page path is lower case/],
  ['a path of the web server', ['--path', '/assets/x'], /path "\/assets\/x" is reserved for the web server/],
  ['a title that is code', ['--title', "it's"], /It is inserted into source files/],
])('%s is rejected, and nothing is written', async (_what, args, message) => {
  const { status, stderr } = create({}, ...careers, ...args);
  expect(stderr).toMatch(message);
  expect(status).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('a folder that is not empty is rejected, and its contents are named', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await writeFile(join(folder, name), '');
  const { status, stderr } = create({}, ...careers);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /is not empty: it has a, b, c and 1 more\. Nothing was written\./,
    ) as string,
  });
  expect(await readdir(folder)).toEqual(['a', 'b', 'c', 'd']);
});

test('without a terminal the missing options are listed', async () => {
  const { status, stderr } = create({}, '--owner', 'people');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'Pass --name, --path as well: there is no terminal for prompts.\n',
  });
  expect(await readdir(folder)).toEqual([]);
});

test('a wrong command line exits with 2 and the usage', () => {
  const { status, stderr } = create({}, '--colour', 'red');
  expect(status).toBe(2);
  expect(stderr).toMatch(/Unknown option '--colour'[^]*Example: npm create @site\/remote -- --name/);
});

test('input is validated when it is entered', () => {
  expect(problemOf('name', 'mfe-careers')).toBeNull();
  expect(problemOf('name', 'careers')).toMatch(/An app is named/);
  expect(problemOf('owner', 'Our Team')).toMatch(/team name/);
  expect(problemOf('path', '/careers')).toBeNull();
  expect(problemOf('path', 'careers')).toMatch(/A page path/);
  expect(problemOf('path', '/hr')).toBeNull();
  expect(problemOf('title', 'Hr')).toMatch(/at least 3 characters/);
  expect(problemOf('title', 'People')).toBeNull();
});

/** Simulates a user; rejects what the terminal rejects. */
function answering(answers: Record<string, string>) {
  const asked: string[] = [];
  const prompt = (field: Parameters<typeof problemOf>[0], message: string, suggestion?: string) => {
    asked.push(message);
    const answer = answers[field] ?? suggestion ?? '';
    const problem = problemOf(field, answer);
    return problem === null ? Promise.resolve(answer) : Promise.reject(new Error(problem));
  };
  return { asked, prompt };
}

test('a path that results in no title can be entered: then the title is requested', async () => {
  const { asked, prompt } = answering({ owner: 'people', title: 'People' });
  const plan = planRemote(await askForMissing({}, '/tmp/mfe-hr', prompt));
  expect(plan).toMatchObject({ name: 'mfe-hr', owner: 'people', path: '/hr', title: 'People', slug: 'hr' });
  expect(asked).toEqual(['Name of the remote', 'Team that owns it', 'Path of its page', 'Title of the page']);
});

test('the title is not requested if the path results in one or it is given', async () => {
  const made = answering({ owner: 'people' });
  expect(planRemote(await askForMissing({}, '/tmp/mfe-jobs', made.prompt)).title).toBe('Jobs');
  expect(made.asked).not.toContain('Title of the page');
  const given = answering({ owner: 'people' });
  expect(
    planRemote(await askForMissing({ path: '/hr', title: 'People' }, '/tmp/mfe-hr', given.prompt)).title,
  ).toBe('People');
  expect(given.asked).not.toContain('Title of the page');
});

test('without a terminal a short path is rejected with the option to use', () => {
  const { status, stderr } = create({}, '--name', 'mfe-hr', '--owner', 'people', '--path', '/hr');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^--title "Hr": It is too short .* at least 3 characters/);
});

interface PackageJson {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

test('a new repository gets the tool and package versions of this one', () => {
  create({}, ...careers);
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
  const made = read(join(folder, 'package.json'));
  const own = read(join(repository, 'package.json')).devDependencies;
  const app = read(join(repository, 'mfe-blocks/package.json'));
  for (const [name, range] of Object.entries({ ...made.dependencies, ...made.devDependencies })) {
    const version = name.startsWith('@site/')
      ? `^${read(join(repository, 'node_modules', name, 'package.json')).version}`
      : (own[name] ?? app.dependencies[name]);
    expect({ name, range }).toEqual({ name, range: version });
  }
});
