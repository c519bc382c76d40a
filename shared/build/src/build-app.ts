import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import webpack, { type Configuration, type Stats } from 'webpack';
import type { VersionManifest } from '@site/contract';
import { REMOTE_ENTRY } from '@site/contract/remote-container';
import { BuildError } from './build-error.ts';
import type { App } from './app.ts';
import { finishBuild, type Bundle } from './finish-build.ts';
import { inputsHash } from './stale.ts';
import { createWebpackConfigs, writeServerEntry } from './webpack-config.ts';

/**
 * Builds an app into its `dist` folder: `browser/` (served by the edge), `server/server.js` (for
 * prerendering) and `version.json`. The same sources have the same version id on every machine.
 * @throws BuildError if it does not compile.
 */
export async function buildApp(app: App): Promise<VersionManifest> {
  const inputs = await inputsHash(app.folder);
  await writeServerEntry(app);
  // Built in a temporary folder and moved, so that concurrent readers and builds never see a partial build.
  const aside = join(app.folder, `dist.${process.pid}`);
  try {
    const { browser, server } = createWebpackConfigs(app, 'production', aside);
    const [browserStats] = await Promise.all([compile(app, browser), compile(app, server)]);
    return await finishBuild(app, aside, describeBundle(app, browserStats), inputs);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

export function compile(app: Pick<App, 'name'>, config: Configuration): Promise<Stats> {
  return new Promise((resolvePromise, reject) => {
    webpack(config, (error, stats) => {
      if (error)
        return reject(new BuildError(`${app.name} cannot be built: ${error.message}`, { cause: error }));
      if (!stats) return reject(new BuildError(`${app.name} cannot be built: the compiler gave no result.`));
      if (stats.hasErrors() || stats.hasWarnings()) {
        const text = stats.toString({ preset: 'errors-warnings', colors: false });
        return reject(new BuildError(`${app.name} does not compile:\n${text}`));
      }
      return resolvePromise(stats);
    });
  });
}

function describeBundle(app: App, stats: Stats): Bundle {
  return {
    entry: app.remote ? REMOTE_ENTRY : 'main.js',
    entryFiles: [...(stats.compilation.entrypoints.get('main')?.getFiles() ?? [])],
    moduleFiles: (module) => pageFiles(app, stats, module.slice(2)),
  };
}

/**
 * The files of an exposed page's chunk group, without the container's entry. Includes the styles of lazily
 * loaded parts at any depth, because the prerendered document contains those parts.
 */
function pageFiles(app: App, stats: Stats, chunkName: string): { js: string[]; css: string[] } {
  const groups = stats.compilation.chunkGroups.filter(({ name }) => name === chunkName);
  const moduleFiles = (from: typeof groups, extension: string) => [
    ...new Set(
      from
        .flatMap(({ chunks }) => chunks.flatMap(({ files }) => [...files]))
        .filter((file) => file.endsWith(extension)),
    ),
  ];
  const js = moduleFiles(groups, '.js');
  if (js.length === 0) throw new BuildError(`${app.name}: no chunk was built for the page "${chunkName}".`);
  const withLater = new Set(groups);
  // A Set iterator visits items added during the iteration, and each group once.
  for (const group of withLater) for (const child of group.getChildren()) withLater.add(child);
  return { js, css: moduleFiles([...withLater], '.css') };
}
