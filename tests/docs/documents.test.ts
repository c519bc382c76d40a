import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sitePages } from '../e2e/harness/site-pages.ts';
import { documents, filesIn, inDocuments, root, tableRows, readText } from './read-documents.ts';
import { siteHelp } from './site-help.ts';

/** Checks that the commands, files and headings in the documents exist. */

interface NpmCommand {
  command: string;
  script: string;
  workspace: string | null;
}

function npmCommands(text: string): NpmCommand[] {
  const found = text.matchAll(/npm (?:run (?:-s |--silent )?([\w:-]+)|(start|test)\b)((?: -w [\w<>-]+)?)/g);
  return [...found].map(([command, run, short, workspace]) => ({
    command,
    script: run ?? short ?? '',
    workspace: workspace ? workspace.slice(' -w '.length) : null,
  }));
}

const apps = readdirSync(root).filter((name) => name === 'shell' || name.startsWith('mfe-'));

function isScript({ script, workspace }: NpmCommand): boolean {
  // `-w <app>` is a placeholder.
  const folders = workspace === null ? ['.'] : workspace.startsWith('<') ? apps : [workspace];
  return folders.every((folder) => {
    const path = join(folder, 'package.json');
    if (!existsSync(join(root, path))) return false;
    const { scripts = {} } = JSON.parse(readText(path)) as { scripts?: Record<string, string> };
    return script in scripts;
  });
}

interface SiteCommand {
  command: string;
  options: string[];
  line: string;
}

/** Every `npx @site/cli …`, to the end of its line at most. */
function siteCommands(text: string): SiteCommand[] {
  return [...text.matchAll(/npx @site\/cli ((?:--)?[a-z-]+)((?:(?!&&|npx)[^\n`|])*)/g)].map(
    ([line, command = '', rest = '']) => ({
      command,
      options: rest.replace(/"[^"]*"/g, '').match(/(?<=\s)--[a-z-]+/g) ?? [],
      line: line.trim(),
    }),
  );
}

test('every npm command is a script of the repository, or of its app', () => {
  const unknown = inDocuments((text) =>
    npmCommands(text)
      .filter((found) => !isScript(found))
      .map(({ command }) => command),
  );
  expect(unknown).toEqual([]);
});

test('every `npx @site/cli` command exists, with its options', async () => {
  const { program, commands } = await siteHelp();
  const exists = ({ command, options }: SiteCommand) => {
    if (command.startsWith('--')) return program.includes(`${command} `);
    const help = commands.get(command);
    return help !== undefined && options.every((option) => help.includes(`${option} `));
  };
  const unknown = inDocuments((text) =>
    siteCommands(text)
      .filter((found) => !exists(found))
      .map(({ line }) => line),
  );
  expect(unknown).toEqual([]);
});

test('the commands of the README are found, so that the checks above check something', () => {
  const readme = readText('README.md');
  expect(npmCommands(readme).map(({ command }) => command)).toEqual(
    expect.arrayContaining(['npm start', 'npm test', 'npm run dev -w mfe-blocks']),
  );
  expect(siteCommands(readme)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ command: 'publish' }),
      expect.objectContaining({ command: 'rollback', options: ['--reason'] }),
    ]),
  );
});

test('every link to a file of the repository is valid', () => {
  const broken = inDocuments((text, document) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(root, dirname(document), target))),
  );
  expect(broken).toEqual([]);
});

const headingAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

test('every linked anchor is a heading', () => {
  const broken = inDocuments((text, document) =>
    [...text.matchAll(/\]\(([^)#\s:]*)#([^)]+)\)/g)]
      .filter(([, target = '', anchor = '']) => {
        const there = target ? readText(join(dirname(document), target)) : text;
        const headings = [...there.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
        return !headings.map(headingAnchor).includes(anchor);
      })
      .map(([link]) => link),
  );
  expect(broken).toEqual([]);
});

test('the README is short, and links to every document', () => {
  const readme = readText('README.md');
  expect(readme.split('\n').length).toBeLessThanOrEqual(125);
  const others = documents.filter((path) => path !== 'README.md' && /^(?:docs\/)?[\w-]+\.md$/.test(path));
  expect(others.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
});

test('every file and folder in `code` in a document exists', () => {
  const files = filesIn('.');
  const topFolders = new Set(files.map((file) => file.split('/', 1)[0]));
  const isThere = (name: string) => {
    const pattern = new RegExp(`(?:^|/)${name.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]+')}(?:/|$)`);
    return files.some((file) => pattern.test(file));
  };
  const missing = inDocuments((text) =>
    [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\s<>{}…]+)`/g)]
      .map(([, name = '']) => name.replace(/\/$/, ''))
      .filter((name) => {
        const inRepository = name.includes('/') && topFolders.has(name.split('/', 1)[0]);
        return inRepository || /^[\w./*-]+\.(?:tsx?|[mc]js|md)$/.test(name);
      })
      .filter((name) => !name.startsWith('mfe-careers/') && !isThere(name)),
  );
  expect(missing).toEqual([]);
});

test('the map in docs/architecture.md lists exactly the folders of shared, services and delivery', () => {
  const [, map = ''] =
    /\n## The map\n[\s\S]*?```\n([\s\S]*?)```/.exec(readText('docs/architecture.md')) ?? [];
  const parents = ['shared', 'services', 'delivery'];
  const named = parents.flatMap((parent) => {
    const [, below = ''] = new RegExp(`^${parent}/\\n((?: {2}.*\\n)+)`, 'm').exec(map) ?? [];
    return [...below.matchAll(/^ {2}([\w-]+)\/ /gm)].map(([, name = '']) => join(parent, name));
  });
  const existing = parents.flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(parent, name))
      .filter((folder) => existsSync(join(root, folder, 'package.json'))),
  );
  expect(named.sort()).toEqual(existing.sort());
});

test('every page of the specification’s route table is a page of the site', () => {
  const [, table = ''] = readText('docs/specification/specification.md').split('\n### Route table\n');
  const routes = tableRows(table.split('\n### ')[0] ?? '')
    .filter(([route = '', purpose = '']) => route.startsWith('/') && !purpose.startsWith('Redirects'))
    .flatMap(([route = '']) => route.split(', '));
  expect(routes.length).toBeGreaterThan(15);
  expect(sitePages.map(({ path }) => path)).toEqual(expect.arrayContaining(routes));
});

describe('docs/specification.md', () => {
  const specified = tableRows(readText('docs/specification.md').split('\n## ')[1] ?? '');
  /** Statement, files, tests. */
  const rows = specified.map((cells) => cells.slice(1));
  const filesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);

  test('has statements of every section of the specification, in order', () => {
    const sections = [...readText('docs/specification/specification.md').matchAll(/^## (\d+)\. /gm)].map(
      ([, number]) => number,
    );
    expect([...new Set(specified.map(([section]) => section))]).toEqual(sections);
  });

  test('names at least one file and one test for each statement', () => {
    expect(rows.length).toBeGreaterThan(110);
    const incomplete = rows.filter(
      ([, where, shown]) => filesIn(where).length === 0 || !/`[^`]+`: “[^”]+”/.test(shown ?? ''),
    );
    expect(incomplete).toEqual([]);
  });

  test('names each test by the beginning of a title in its file', () => {
    const named = rows.flatMap(([, , shown = '']) => [...shown.matchAll(/`([^`]+)`(?:: “([^”]+)”)?/g)]);
    expect(named.length).toBeGreaterThan(150);
    const wrong = named.filter(([, file = '', title]) => {
      const beginning = title?.replace(/…$/, '');
      return !beginning || !["'", '"', '`'].some((quote) => readText(file).includes(quote + beginning));
    });
    expect(wrong.map(([cell]) => cell)).toEqual([]);
  });

  test('names only files that exist, and tests in the column of tests', () => {
    const places = rows.flatMap(([, where]) => filesIn(where));
    const tests = rows.flatMap(([, , shown]) => filesIn(shown));
    expect([...places, ...tests].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(tests.filter((path) => !/\.test\.tsx?$/.test(path))).toEqual([]);
  });
});
