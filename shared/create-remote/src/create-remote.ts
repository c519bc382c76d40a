import { execFile } from 'node:child_process';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import input from '@inquirer/input';
import { askForMissing } from './ask-for-missing.ts';
import { NewRemoteError, planRemote, fieldProblem, type Field, type NewRemote } from './plan-remote.ts';
import { repositoryFiles, type TemplateFiles } from './template-files.ts';

const usage = `Usage: npm create @site/remote [-- --name <name> --owner <team> --path <path> [--title <title>]]

Makes a repository with a remote of the site in the current folder. Replaces no file. Asks for what is not given.

  --name <name>    "mfe-" and lower-case words: the name under which it is published
  --owner <team>   the team that owns it
  --path <path>    where its page answers on the site
  --title <title>  the title of the page, at least 3 characters; default: the last word of the path

Example: npm create @site/remote -- --name mfe-careers --owner people --path /careers
`;

const options = {
  name: { type: 'string' },
  owner: { type: 'string' },
  path: { type: 'string' },
  title: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Runs `npm create @site/remote`.
 * @returns the exit code: 0, 1 for an error, 2 for a wrong command line, 130 when stopped by Ctrl-C.
 */
export async function createRemote(args: string[], folder: string): Promise<number> {
  const { given, wrong } = readArguments(args);
  if (wrong !== undefined) {
    process.stderr.write(`${wrong}\n\n${usage}`);
    return 2;
  }
  if (given.help) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    const plan = planRemote(await askForMissing(given, folder, process.stdin.isTTY ? prompt : null));
    const pnpm = pnpmVersion(process.env);
    const manager = pnpm === null ? 'npm' : 'pnpm';
    const files = await repositoryFiles(plan, pnpm);
    files.set('.npmrc', `${files.get('.npmrc') ?? ''}${await registryLine()}`);
    await requireAbsent(folder, [...files.keys()].sort());
    await write(folder, files);
    process.stdout.write(
      `${[...files.keys()]
        .sort()
        .map((file) => `  ${file}\n`)
        .join(
          '',
        )}\n${plan.name} is ready, with a page at ${plan.path}. Next: ${manager} install, then ${manager} test.\n` +
        `README.md explains how to publish the page.\n${await workflowNote(folder)}`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The error of @inquirer for Ctrl-C.
    if (error.name === 'ExitPromptError') return 130;
    if (!(error instanceof NewRemoteError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** @throws Error for Ctrl-C. */
function prompt(field: Field, message: string, suggestion?: string): Promise<string> {
  return input({
    message,
    ...(suggestion === undefined ? {} : { default: suggestion }),
    validate: (value) => fieldProblem(field, value) ?? true,
  });
}

type Given = Partial<NewRemote> & { help?: boolean | undefined };

function readArguments(args: string[]): { given: Given; wrong?: string } {
  try {
    return { given: parseArgs({ args, options }).values };
  } catch (error) {
    return { given: {}, wrong: (error as Error).message };
  }
}

/** @throws NewRemoteError if a file exists. */
async function requireAbsent(folder: string, files: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const file of files) if (await exists(join(folder, file))) found.push(file);
  if (found.length === 0) return;
  const shown = found.slice(0, 3).join(', ') + (found.length > 3 ? ` and ${found.length - 3} more` : '');
  throw new NewRemoteError(
    `The folder ${folder} already has ${shown}. Nothing was written. Move these files away, or ` +
      'run this in a new folder: mkdir mfe-careers && cd mfe-careers',
  );
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function workflowNote(folder: string): Promise<string> {
  if (await exists(join(folder, '.git'))) return '';
  for (let top = dirname(folder); top !== dirname(top); top = dirname(top))
    if (await exists(join(top, '.git')))
      return (
        `\nThis folder is part of the repository ${top}. Move .github/workflows/site.yml to ` +
        `${join(top, '.github/workflows')}, and add there: defaults: { run: { working-directory: ` +
        `${relative(top, folder)} } }\n`
      );
  return '';
}

/** The version of pnpm if it runs this program: `pnpm create @site/remote`. */
function pnpmVersion({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): string | null {
  return /^pnpm\/(\d+\.\d+\.\d+)\b/.exec(agent)?.[1] ?? null;
}

/** The registry of this package, which the new repository's packages also use. */
async function registryLine(): Promise<string> {
  const scoped = await npmConfig('@site:registry');
  const registry = scoped ?? (await npmConfig('registry'));
  const isPublic = registry === null || new URL(registry).hostname === 'registry.npmjs.org';
  return isPublic ? '; @site:registry=https://npm.example.com/\n' : `@site:registry=${registry}\n`;
}

function npmConfig(key: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('npm', ['config', 'get', key], { shell: process.platform === 'win32' }, (error, stdout) => {
      const value = error ? '' : stdout.trim();
      resolve(URL.canParse(value) ? value : null);
    });
  });
}

async function write(folder: string, files: TemplateFiles): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
