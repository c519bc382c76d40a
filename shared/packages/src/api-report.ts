import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import ts from 'typescript';
import { compile } from './compile.ts';
import { declarationFiles, compiledFiles } from './files.ts';
import type { Exports, PublishedPackage } from './workspace.ts';

/**
 * Longer declarations are truncated with a hash: the registry's schemas have tens of thousands of characters.
 */
const MAX_LENGTH = 800;
const BEGINNING = 200;

/** Modules that only our own command line imports. Their compatibility is tested by `tests/contract`. */
const isOwn = (source: string) => source.startsWith('shared/contract/src/registry-calls/');

export const reportPath = ({ folder }: PublishedPackage): string => `${folder}/api.md`;

/**
 * The public API of the packages: every declaration in an importable module, or in a module of its package
 * that it imports.
 * @returns path and text of each report, for packages with importable modules.
 */
export function apiReports(packages: readonly PublishedPackage[]): Map<string, string> {
  const entries = new Map(packages.map((one) => [one, packageEntries(one)] as const));
  const roots = [...entries.values()].flatMap((each) => [...each.keys()]);
  const compiled = compile([...roots, ...packages.flatMap(declarationFiles)], 'types');
  return new Map(
    [...entries]
      .filter(([, each]) => each.size > 0)
      .map(([one, each]) => [reportPath(one), report(one, each, compiled)]),
  );
}

function report(one: PublishedPackage, entries: Map<string, string>, compiled: Map<string, string>): string {
  const {
    name,
    exports = {},
    peerDependencies = {},
  } = { ...one.packageJson, ...one.packageJson.publishConfig };
  const titles = new Map([...entries].map(([source, subpath]) => [declarationPath(source), subpath]));
  const modules = reachable([...titles.keys()], compiled);
  return [
    `# What users of ${name} see`,
    'Written by `npm run packages:api`. A test fails when it is not what the sources say. A ' +
      'change here is a change for others: `npx --no changeset`.',
    `Exports: ${code(exports)}`,
    `Peers: ${code(peerDependencies)}`,
    ...modules.map((path) => {
      const entry = titles.get(path);
      const title = entry === undefined ? posix.relative(one.folder, path) : posix.join(name, entry);
      return `## ${title}\n\n\`\`\`ts\n${declarations(path, compiled.get(path) ?? '')}\n\`\`\``;
    }),
    '',
  ].join('\n\n');
}

const declarationPath = (source: string) => source.replace(/\.(js|tsx?)$/, '.d.ts');
const code = (value: Exports) => `\`${JSON.stringify(value)}\``;

function packageEntries(one: PublishedPackage): Map<string, string> {
  const { folder, packageJson } = one;
  const { exports = {} } = { ...packageJson, ...packageJson.publishConfig };
  const entries = new Map<string, string>();
  for (const [subpath, target] of Object.entries(exports as Record<string, Exports>)) {
    if (typeof target !== 'string' || !/\.tsx?$/.test(target)) continue;
    const [before = '', after] = posix
      .join(folder, target)
      .replace(/\.tsx?$/, '')
      .split('*');
    for (const source of compiledFiles(one).filter((each) => !isOwn(each))) {
      const path = source.replace(/\.tsx?$/, '');
      const part = path.slice(before.length, path.length - (after ?? '').length);
      if (path === before + (after === undefined ? '' : part + after) && !entries.has(source))
        entries.set(source, subpath.replace('*', part));
    }
  }
  return entries;
}

function reachable(entries: readonly string[], compiled: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  function add(path: string): void {
    const text = compiled.get(path);
    if (text === undefined || found.has(path)) return;
    found.add(path);
    for (const [, request = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']+)["']/g))
      add(declarationPath(posix.join(posix.dirname(path), request)));
  }
  entries.forEach(add);
  return [...found].sort();
}

function declarations(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return source.statements.map((statement) => shortened(statement.getText(source))).join('\n');
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.slice(0, BEGINNING)}\n/* … ${text.length} characters, sha256 ${hash} */`;
}
