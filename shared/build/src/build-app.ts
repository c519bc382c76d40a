import { execFile } from 'node:child_process';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import webpack, { type Configuration, type Stats } from 'webpack';
import { VersionManifestSchema, type FileEntry, type PageEntry, type VersionManifest } from '@site/contract';
import { sentForms } from './sent-forms.ts';
import { moduleKey, type App } from './app.ts';
import { CHUNK_INTEGRITY, chunkIntegrity } from './chunk-integrity-plugin.ts';
import { shortHash } from './hash.ts';
import { integrityOf } from '@site/contract/integrity-of';
import { packSourceMaps } from '@site/contract/source-maps';
import { writeCards } from './images/write-cards.ts';
import { writeRootFiles } from './images/write-root-files.ts';
import { movedBy, takeSourceMaps, type SourceMap } from './source-maps.ts';
import { inputsHash, markBuilt } from './stale.ts';
import { createWebpackConfigs, writeServerEntry } from './webpack-config.ts';

/** A build that did not succeed; the message carries the compiler's own errors. */
export class BuildError extends Error {
  override name = 'BuildError';
}

/**
 * Builds an app into its `dist` folder: `browser/` (what the edge serves), `server/server.js` (what renders pages ahead
 * of time) and `version.json`. The same sources give the same version id on every machine.
 *
 * @throws BuildError when it does not compile.
 */
export async function buildApp(app: App): Promise<VersionManifest> {
  const inputs = await inputsHash(app.folder);
  await writeServerEntry(app);
  // Built aside and moved into place: who reads `dist` meanwhile (or builds too) never sees half a build.
  const aside = join(app.folder, `dist.${process.pid}`);
  try {
    const { browser, server } = createWebpackConfigs(app, 'production', aside);
    const [browserStats] = await Promise.all([compile(app, browser), compile(app, server)]);
    const manifest = await packBuild(app, aside, browserStats);
    await writeFile(join(aside, 'version.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await markBuilt(aside, inputs);
    await replaceFolder(aside, join(app.folder, 'dist'));
    return manifest;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Puts a finished build in the place of the one before. */
export async function replaceFolder(from: string, to: string): Promise<void> {
  const old = `${from}.old`;
  await rename(to, old).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rename(from, to);
  await rm(old, { recursive: true, force: true });
}

/** @throws BuildError with everything that does not compile, warnings too. */
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

async function packBuild(app: App, dist: string, stats: Stats): Promise<VersionManifest> {
  const browserFolder = join(dist, 'browser');
  const cards = app.remote ? await writeCards(app.remote.pages, browserFolder) : new Map<string, string>();
  if (app.shell) await writeRootFiles(app.folder, app.shell, browserFolder);
  // Before anything is listed: what is left in the folder is served.
  const maps = await takeSourceMaps(browserFolder, await listPaths(browserFolder));
  const entry = await finishEntry(browserFolder, app.remote ? 'remoteEntry' : 'main', maps);
  const assets = await listFiles(browserFolder);
  const [server] = await listFiles(join(dist, 'server'));
  if (!server)
    throw new BuildError(`${app.name}: the server bundle is missing from ${join(dist, 'server')}.`);

  const contents = {
    schema: 1 as const,
    app: app.name,
    assets,
    server: { ...server, path: 'server.js' },
    entry,
    ...(await sentForms(browserFolder, assets)),
    ...(app.remote ? remoteContents(app, stats, cards) : await shellContents(app, stats, browserFolder)),
  };
  // The id covers everything that decides how the version behaves, and nothing that differs from run to run.
  const version = `${app.packageVersion}-${shortHash(JSON.stringify(contents))}`;
  return v.parse(VersionManifestSchema, {
    ...contents,
    version,
    ...(await writeSourceMaps(dist, maps)),
    commit: await currentCommit(app.folder),
    builtAt: new Date().toISOString(),
  });
}

/** Where the source maps lie: not among what is served. */
const SOURCE_MAPS = 'source-maps.gz';

async function writeSourceMaps(
  dist: string,
  maps: ReadonlyMap<string, SourceMap>,
): Promise<{ sourceMaps?: FileEntry }> {
  const texts = [...maps]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, map]) => [path, JSON.stringify(map)] as const);
  const packed = await packSourceMaps(new Map(texts));
  if (!packed) return {};
  await writeFile(join(dist, SOURCE_MAPS), packed);
  return { sourceMaps: { path: SOURCE_MAPS, size: packed.length, integrity: integrityOf(packed) } };
}

/**
 * Finishes the entry: writes the integrity of all other files into it and puts its content hash into its name. Its source map follows.
 */
async function finishEntry(folder: string, name: string, maps: Map<string, SourceMap>): Promise<string> {
  const from = join(folder, `${name}.js`);
  const others = (await listPaths(folder)).filter((path) => path !== `${name}.js`);
  const files = await Promise.all(
    others.map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })),
  );
  const built = await readFile(from, 'utf8');
  const integrity = chunkIntegrity(built, files);
  const source = built.replaceAll(CHUNK_INTEGRITY, () => integrity);
  const hashed = `${name}.${shortHash(source)}.js`;
  await writeFile(join(folder, hashed), source);
  await rm(from);
  const map = maps.get(`${name}.js`);
  maps.delete(`${name}.js`);
  if (map) maps.set(hashed, movedBy(map, built, CHUNK_INTEGRITY, integrity));
  return hashed;
}

async function listPaths(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.endsWith('.LICENSE.txt'))
    .sort();
}

async function listFiles(folder: string): Promise<FileEntry[]> {
  return Promise.all(
    (await listPaths(folder)).map(async (path) => {
      const bytes = await readFile(join(folder, path));
      return { path, size: bytes.length, integrity: integrityOf(bytes) };
    }),
  );
}

/** @param cards page path → file of its link preview image. */
function remoteContents(app: App, stats: Stats, cards: Map<string, string>) {
  const config = app.remote;
  if (!config) throw new BuildError(`${app.name} is not a remote.`);
  const pages: PageEntry[] = config.pages.map(({ path, page, variants, card }) => ({
    path,
    module: moduleKey(page),
    ...pageFiles(app, stats, moduleKey(page).slice(2)),
    ...(variants ? { variants } : {}),
    ...(card ? { card: { file: cards.get(path) ?? '', text: card } } : {}),
  }));
  return {
    kind: 'remote' as const,
    owner: config.owner,
    pages,
    redirects: config.redirects,
    ...(config.forms?.length ? { declaredForms: config.forms } : {}),
    requires: app.sharedVersions,
  };
}

/**
 * The files of an exposed page's chunk group, without the container's own entry. The styles of its parts that come later are
 * among them: the document has those parts from the start.
 */
function pageFiles(app: App, stats: Stats, chunkName: string): { js: string[]; css: string[] } {
  const groups = stats.compilation.chunkGroups.filter(({ name }) => name === chunkName);
  const filesOf = (from: typeof groups, extension: string) => [
    ...new Set(
      from
        .flatMap(({ chunks }) => chunks.flatMap(({ files }) => [...files]))
        .filter((file) => file.endsWith(extension)),
    ),
  ];
  const js = filesOf(groups, '.js');
  if (js.length === 0) throw new BuildError(`${app.name}: no chunk was built for the page "${chunkName}".`);
  return { js, css: filesOf([...groups, ...groups.flatMap((group) => group.getChildren())], '.css') };
}

async function shellContents(app: App, stats: Stats, browserFolder: string) {
  const files = await listPaths(browserFolder);
  const entryFiles = [...(stats.compilation.entrypoints.get('main')?.getFiles() ?? [])];
  const byRootName = files.filter((path) => path.startsWith('root/')).map((path) => [unhashed(path), path]);
  return {
    kind: 'shell' as const,
    owner: 'shell',
    provides: app.sharedVersions,
    document: {
      css: entryFiles.filter((path) => path.endsWith('.css')),
      inlineScripts: files.filter((path) => path.startsWith('inline/')),
      // The one that the first view is written with.
      fonts: files.filter((path) => /\.letters\.[0-9a-f]+\.woff2$/.test(path) && !path.includes('mono')),
      rootFiles: Object.fromEntries(byRootName) as Record<string, string>,
    },
  };
}

/** `root/favicon.1a2b3c4d5e6f.svg` → `favicon.svg` */
function unhashed(path: string): string {
  return path.replace(/^root\//, '').replace(/\.[0-9a-f]{12}(\.[a-z0-9]+)$/, '$1');
}

async function currentCommit(folder: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: folder });
    return stdout.trim();
  } catch {
    return null; // not a git checkout: the version id still tells the build apart
  }
}
