import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpack, { type Configuration } from 'webpack';
import type { VersionManifest } from '@site/contract';
import { loadApp } from '@site/build/app';
import { moduleKey } from '@site/contract/remote-container';
import { createWebpackConfigs } from '@site/build/webpack-config';

/** The same code as one build without federation: files by name, and the chunks of each page. */
export interface Monolith {
  files: ReadonlyMap<string, Buffer>;
  entry: string;
  chunks: ReadonlyMap<string, string[]>;
}

/** The base path of the monolith's files. */
export const MONOLITH_PATH = '/assets/monolith/';

/**
 * Builds shell and remotes as one bundle: the shell's own configuration without the federation plugin, with `import()`
 * instead of its remote loader.
 *
 * @param remotes names of the remotes' folders.
 */
export async function buildMonolith(root: string, remotes: string[]): Promise<Monolith> {
  const output = await mkdtemp(join(tmpdir(), 'site-monolith-'));
  try {
    const shell = await loadApp(join(root, 'shell'));
    const { browser } = createWebpackConfigs(shell, 'production', output);
    const pages = (await Promise.all(remotes.map((name) => loadPages(root, name)))).flat();
    const loader = join(output, 'remote-loader.ts');
    await writeFile(loader, loaderSource(pages));
    const stats = await compile({
      ...browser,
      output: { ...browser.output, path: join(output, 'browser'), publicPath: MONOLITH_PATH },
      module: { ...browser.module, rules: (browser.module?.rules ?? []).map(withoutStyles) },
      plugins: [
        ...(browser.plugins ?? []).filter(
          (plugin) => !/Federation|Integrity|Extract/.test(pluginName(plugin)),
        ),
        new webpack.NormalModuleReplacementPlugin(/\/remote-loader\.ts$/, loader),
      ],
    });
    const folder = join(output, 'browser');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
    const files = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
    );
    const chunks = new Map(
      pages.map(({ path, chunk }) => [
        path,
        (stats.compilation.namedChunkGroups.get(chunk)?.getFiles() ?? []).filter((file) =>
          file.endsWith('.js'),
        ),
      ]),
    );
    return { files, entry: 'main.js', chunks };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

interface MonolithPage {
  path: string;
  remote: string;
  module: string;
  source: string;
  chunk: string;
}

async function loadPages(root: string, remote: string): Promise<MonolithPage[]> {
  const folder = join(root, remote);
  const app = await loadApp(folder);
  const manifest = JSON.parse(await readFile(join(folder, 'dist/version.json'), 'utf8')) as VersionManifest;
  if (manifest.kind !== 'remote' || !app.remote) throw new Error(`${folder} is not a remote.`);
  return app.remote.pages.map(({ path, page }) => ({
    path,
    remote,
    module: moduleKey(page),
    source: join(folder, page),
    chunk: `${remote}-${moduleKey(page).slice(2)}`,
  }));
}

/** The replacement of `shell/src/pages/remote-loader.ts`. */
function loaderSource(pages: MonolithPage[]): string {
  const imports = pages.map(
    ({ remote, module, source, chunk }) =>
      `  ${JSON.stringify(`${remote} ${module}`)}: () => import(/* webpackChunkName: ${JSON.stringify(chunk)} */ ${JSON.stringify(source)}),`,
  );
  return [
    'const pages: Record<string, () => Promise<{ default: unknown }>> = {',
    ...imports,
    '};',
    'export const createFederationLoader = () => ({',
    '  load: async ({ remote, module }: { remote: string; module: string }) => (await pages[`${remote} ${module}`]!()).default,',
    '  use() {},',
    '});',
  ].join('\n');
}

/** Styles are inlined in the document, as on the site: only the class names of a stylesheet are needed. */
function withoutStyles(rule: unknown): webpack.RuleSetRule {
  const own = rule as webpack.RuleSetRule;
  if (!(own.test instanceof RegExp && own.test.test('a.css')) || !Array.isArray(own.use)) return own;
  const css = own.use.at(-1) as { loader: string; options: { modules: object } };
  const modules = { ...css.options.modules, exportOnlyLocals: true };
  return { ...own, use: [{ loader: css.loader, options: { ...css.options, modules } }] };
}

function pluginName(plugin: unknown): string {
  return (plugin as { constructor: { name: string } }).constructor.name;
}

function compile(config: Configuration): Promise<webpack.Stats> {
  return new Promise((resolve, reject) => {
    webpack(config, (error, stats) => {
      if (error || !stats) return reject(error ?? new Error('The compiler gave no result.'));
      if (stats.hasErrors())
        return reject(new Error(stats.toString({ preset: 'errors-only', colors: false })));
      return resolve(stats);
    });
  });
}
