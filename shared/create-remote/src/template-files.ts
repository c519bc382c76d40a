import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemotePlan } from './plan-remote.ts';

const template = join(import.meta.dirname, '../template');

/** Path → text. */
export type TemplateFiles = Map<string, string>;

export function remoteFiles(plan: RemotePlan): Promise<TemplateFiles> {
  return filledFiles('remote', plan);
}

/**
 * The files of a standalone repository: the remote with its tools and pipeline.
 * @param pnpm the version of pnpm, if the team uses it instead of npm.
 */
export async function repositoryFiles(plan: RemotePlan, pnpm: string | null): Promise<TemplateFiles> {
  const remote = await remoteFiles(plan);
  const around = await filledFiles('repository', plan);
  const packageJson = merged(remote.get('package.json') ?? '', around.get('package.json') ?? '');
  const files = new Map([...remote, ...around, ['package.json', packageJson]]);
  return pnpm === null ? files : withPnpm(files, pnpm);
}

function withPnpm(files: TemplateFiles, version: string): TemplateFiles {
  const { allowScripts } = JSON.parse(files.get('package.json') ?? '') as {
    allowScripts: Record<string, boolean>;
  };
  const changed = new Map(files).set(
    'pnpm-workspace.yaml',
    `allowBuilds:
${Object.entries(allowScripts)
  .map(([name, isAllowed]) => `  '${name}': ${isAllowed}\n`)
  .join('')}# pnpm waits a day before it installs a new version.
minimumReleaseAgeExclude:
  - '@site/*'
`,
  );
  for (const [path, text] of files) {
    if (path === 'README.md')
      changed.set(
        path,
        text
          .replaceAll(/\bnpm (?=install\b|test\b|run\b|update\b)/g, 'pnpm ')
          // The column of a table keeps its width.
          .replaceAll(/(`pnpm .*) (\|)$/gm, '$1$2'),
      );
    if (path.endsWith('.yml'))
      changed.set(
        path,
        text
          .replaceAll(/^( +)- uses: actions\/setup-node.*$/gm, (setUpNode, indent: string) =>
            [
              `${indent}- uses: pnpm/action-setup@v4`,
              `${indent}  with:`,
              `${indent}    version: ${version}`,
              setUpNode,
            ].join('\n'),
          )
          .replaceAll('cache: npm', 'cache: pnpm')
          .replaceAll('npm ci', 'pnpm install --frozen-lockfile'),
      );
  }
  return changed;
}

async function filledFiles(part: 'remote' | 'repository', plan: RemotePlan): Promise<TemplateFiles> {
  const folder = join(template, part);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(^|\/)(dist|node_modules)\//.test(path))
    .sort();
  const files = new Map<string, string>();
  for (const path of paths)
    files.set(fill(hidden(path), plan), fill(await readFile(join(folder, path), 'utf8'), plan));
  return files;
}

/** npm omits some dot files from packages: in the template they begin with "_". */
function hidden(path: string): string {
  return path.replace(/^_/, '.');
}

/** Replaces the template's names, longer ones first. */
function fill(text: string, { name, owner, path, slug, title }: RemotePlan): string {
  return text
    .replaceAll('mfe-template', name)
    .replaceAll('template-owner', owner)
    .replaceAll('template-page', `${slug}-page`)
    .replaceAll('TemplatePage', `${pascalCase(slug)}Page`)
    .replaceAll(/\/template\b/g, path)
    .replaceAll('Template title', title);
}

function pascalCase(slug: string): string {
  const name = slug.replace(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  return /^\d/.test(name) ? `The${name}` : name;
}

type Fields = Record<string, string | boolean | Record<string, string>>;

/** Merges two package.json files. */
function merged(one: string, other: string): string {
  const fields = JSON.parse(one) as Fields;
  for (const [key, value] of Object.entries(JSON.parse(other) as Fields)) {
    const before = fields[key];
    fields[key] =
      typeof before === 'object' && typeof value === 'object' ? sorted({ ...before, ...value }, key) : value;
  }
  return `${JSON.stringify(fields, null, 2)}\n`;
}

function sorted(record: Record<string, string>, key: string): Record<string, string> {
  if (key === 'scripts') return record;
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
