import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { askForMissing } from './ask-for-missing.ts';
import { planRemote, fieldProblem } from './plan-remote.ts';

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

const readText = (path: string) => readFile(join(folder, path), 'utf8');

test("writes a complete repository with the remote's names and path", async () => {
  await mkdir(join(folder, '.git'));
  const { status, stdout, stderr } = create({}, ...careers);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const files = [
    '.gitattributes',
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
  for (const file of files) expect(await readText(file)).not.toMatch(/[Tt]emplate|TEMPLATE|\bBlocks\b/);
  expect(await readText('README.md')).toContain('the page `/careers`, owned by people');
});

test('the pipeline publishes main in commit order, and documents that GitHub drops pushes in between', async () => {
  create({}, ...careers);
  const workflow = await readText('.github/workflows/site.yml');
  // Must be above the jobs: a group for the publishing job alone lets an older commit overtake a newer one
  // during the checks.
  expect(workflow).toMatch(
    /^concurrency:\n {2}group: site-\$\{\{ github\.ref \}\}\n {2}cancel-in-progress: \$\{\{ github\.event_name == 'pull_request' \}\}$/m,
  );
  expect(workflow).not.toMatch(/^ +concurrency:/m);
  for (const text of [workflow, await readText('README.md')]) {
    expect(text).toMatch(/only the newest is (checked and )?published/);
    expect(text).not.toMatch(/each change of main/);
  }
});

test('packages come from the configured npm registry, and a token is never written to a file', async () => {
  create({ 'npm_config_@site:registry': 'https://npm.team.test/', NPM_TOKEN: 'npm_1a2b' }, ...careers);
  expect(await readText('.npmrc')).toMatch(/^@site:registry=https:\/\/npm\.team\.test\/$/m);
  expect(await readText('.npmrc')).not.toContain('npm_1a2b');
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

test('existing files of the same names are rejected with their names, and nothing is written', async () => {
  for (const name of ['package.json', 'LICENSE', '.npmrc']) await writeFile(join(folder, name), '');
  const { status, stderr } = create({}, ...careers);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/already has \.npmrc, package\.json\. Nothing was written\./) as string,
  });
  expect(await readdir(folder)).toEqual(['.npmrc', 'LICENSE', 'package.json']);
});

test("other files stay: a license, an editor's folder, the owners of the code", async () => {
  await mkdir(join(folder, '.idea'));
  await mkdir(join(folder, '.github'));
  for (const name of ['LICENSE', '.github/CODEOWNERS']) await writeFile(join(folder, name), 'ours');
  expect(create({}, ...careers)).toMatchObject({ status: 0, stderr: '' });
  expect(await readText('LICENSE')).toBe('ours');
  expect(await readText('.github/CODEOWNERS')).toBe('ours');
  expect(await readText('package.json')).toContain('mfe-careers');
});

test('inside of a repository it names the folder of workflows that GitHub reads', async () => {
  await mkdir(join(folder, '.git'));
  const below = join(folder, 'apps/careers');
  await mkdir(below, { recursive: true });
  const { status, stdout } = spawnSync(process.execPath, [command, ...careers], {
    cwd: below,
    encoding: 'utf8',
    input: '',
  });
  expect(status).toBe(0);
  const top = await realpath(folder);
  expect(stdout).toContain(`Move .github/workflows/site.yml to ${top}/.github/workflows, and add there:`);
  expect(stdout).toContain('working-directory: apps/careers');
});

test('a clone has the committed line ends on every machine, so the version id is the same', () => {
  create({}, ...careers);
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
  git('clone', '-q', '-c', 'core.autocrlf=true', '.', 'clone');
  for (const path of ['remote.config.ts', '.prettierrc.json', 'src/pages/careers-page.module.css'])
    expect(readFileSync(join(folder, 'clone', path), 'utf8')).not.toContain('\r');
  expect(readFileSync(join(repository, '.gitattributes'), 'utf8')).toBe(
    readFileSync(join(folder, '.gitattributes'), 'utf8'),
  );
});

test('pnpm create writes what pnpm needs: allowed scripts, new packages of the site, and its pipeline', async () => {
  const agent = { npm_config_user_agent: 'pnpm/12.4.2 npm/? node/v26.10.0 linux x64' };
  const { stdout } = create(agent, ...careers);
  expect(stdout).toContain('Next: pnpm install, then pnpm test.');
  expect(parse(await readText('pnpm-workspace.yaml'))).toEqual({
    allowBuilds: (JSON.parse(await readText('package.json')) as { allowScripts: object }).allowScripts,
    minimumReleaseAgeExclude: ['@site/*'],
  });
  const workflow = await readText('.github/workflows/site.yml');
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: object[] }> };
  for (const { steps } of Object.values(jobs))
    expect(steps.slice(1, 4)).toEqual([
      { uses: 'pnpm/action-setup@v4', with: { version: '12.4.2' } },
      { uses: 'actions/setup-node@v5', with: { 'node-version': 26, cache: 'pnpm' } },
      { run: 'pnpm install --frozen-lockfile' },
    ]);
  expect(await readText('README.md')).not.toMatch(/(?<!p)npm (?:install|test|run|update)/);
  expect(await readText('.prettierignore')).toContain('pnpm-lock.yaml');
});

test('development packages are installed with NODE_ENV=production, here and in a new repository', () => {
  create({}, ...careers);
  for (const cwd of [folder, repository]) {
    const { stdout } = spawnSync('npm', ['config', 'get', 'omit'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    expect(stdout.trim()).toBe('');
  }
});

test('a new repository depends itself on every package that its files name, as linked installations require', async () => {
  create({}, ...careers);
  const made = JSON.parse(await readText('package.json')) as PackageJson;
  const own = new Set(Object.keys({ ...made.dependencies, ...made.devDependencies }));
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const imported = paths.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/ from '([^.'][^']*)'/g)].map(([, name = '']) => name),
  );
  const { compilerOptions } = JSON.parse(await readText('tsconfig.json')) as {
    compilerOptions: { types: string[] };
  };
  const types = compilerOptions.types.map((name) => (name.startsWith('@') ? name : `@types/${name}`));
  const rules = readFileSync(join(repository, 'shared/testing/oxlintrc.json'), 'utf8');
  const plugins = [...rules.matchAll(/"specifier": "([^"]+)"/g)].map(([, name = '']) => name);
  const packageName = (name: string) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
  const named = [...imported, ...types, ...plugins].map(packageName);
  const missing = named.filter((name) => !own.has(name) && !name.startsWith('node:'));
  expect([...new Set(missing)]).toEqual([]);
  expect(plugins).toEqual(['oxlint-plugin-eslint']);
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
  expect(fieldProblem('name', 'mfe-careers')).toBeNull();
  expect(fieldProblem('name', 'careers')).toMatch(/An app is named/);
  expect(fieldProblem('owner', 'Our Team')).toMatch(/team name/);
  expect(fieldProblem('path', '/careers')).toBeNull();
  expect(fieldProblem('path', 'careers')).toMatch(/A page path/);
  expect(fieldProblem('path', '/hr')).toBeNull();
  expect(fieldProblem('title', 'Hr')).toMatch(/at least 3 characters/);
  expect(fieldProblem('title', 'People')).toBeNull();
});

/** Simulates a user; rejects what the terminal rejects. */
function answering(answers: Record<string, string>) {
  const asked: string[] = [];
  const prompt = (field: Parameters<typeof fieldProblem>[0], message: string, suggestion?: string) => {
    asked.push(message);
    const answer = answers[field] ?? suggestion ?? '';
    const problem = fieldProblem(field, answer);
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
  const testing = read(join(repository, 'shared/testing/package.json'));
  for (const [name, range] of Object.entries({ ...made.dependencies, ...made.devDependencies })) {
    const version = name.startsWith('@site/')
      ? `^${read(join(repository, 'node_modules', name, 'package.json')).version}`
      : (own[name] ?? app.dependencies[name] ?? testing.dependencies[name]);
    expect({ name, range }).toEqual({ name, range: version });
  }
});
