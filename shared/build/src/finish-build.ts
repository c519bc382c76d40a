import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as v from 'valibot';
import {
  jsonText,
  VersionManifestSchema,
  type FileEntry,
  type PageEntry,
  type RemoteConfig,
  type VersionManifest,
} from '@site/contract';
import { computeIntegrity } from '@site/contract/integrity';
import { moduleKey } from '@site/contract/remote-container';
import { packSourceMaps } from '@site/contract/source-maps';
import type { App } from './app.ts';
import { BuildError } from './build-error.ts';
import { CHUNK_INTEGRITY, chunkIntegrity } from './chunk-integrity.ts';
import { currentCommit } from './current-commit.ts';
import { shortHash } from './hash.ts';
import { writeCards } from './images/write-cards.ts';
import { writeRootFiles } from './images/write-root-files.ts';
import { sentForms } from './sent-forms.ts';
import { movedBy, takeSourceMaps, type SourceMap } from './source-maps.ts';
import { issueLines } from './issue-lines.ts';
import { builtInputs, markBuilt } from './stale.ts';

export interface Bundle {
  entry: string;
  entryFiles?: readonly string[];
  moduleFiles(module: string): { js: string[]; css: string[] };
  /** A remote's entry has its own federation runtime. */
  ownRuntime?: true;
}

/**
 * Makes a version of any bundler's output in the folder `aside` (`browser/` and `server/server.js`), and
 * replaces the app's `dist`.
 * @param inputs the hash of its sources (`inputsHash`); null if unknown.
 * @throws BuildError if something is missing.
 */
export async function finishBuild(
  app: App,
  aside: string,
  bundle: Bundle,
  inputs: string | null,
): Promise<VersionManifest> {
  const dist = join(app.folder, 'dist');
  const built = await createManifest(app, aside, bundle);
  const sources =
    inputs === null
      ? await readSources(dist, built.version)
      : { inputs, commit: await currentCommit(app.folder) };
  const manifest = { ...built, commit: sources.commit };
  await writeFile(join(aside, 'version.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (sources.inputs !== null) await markBuilt(aside, sources.inputs);
  await replaceFolder(aside, dist);
  return manifest;
}

interface Sources {
  inputs: string | null;
  commit: string | null;
}

/** The sources of a version, if the previous build in `dist` has the same version. */
async function readSources(dist: string, version: string): Promise<Sources> {
  const text = await readFile(join(dist, 'version.json'), 'utf8').catch(() => '');
  const previous = v.safeParse(jsonText(VersionManifestSchema), text);
  if (!previous.success || previous.output.version !== version) return { inputs: null, commit: null };
  return { inputs: await builtInputs(dist), commit: previous.output.commit };
}

/** Replaces the previous build. */
export async function replaceFolder(from: string, to: string): Promise<void> {
  const old = `${from}.old`;
  await rename(to, old).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rename(from, to);
  await rm(old, { recursive: true, force: true });
}

async function createManifest(app: App, dist: string, bundle: Bundle): Promise<VersionManifest> {
  const browserFolder = join(dist, 'browser');
  const cards = app.remote ? await writeCards(app.remote.pages, browserFolder) : new Map<string, string>();
  if (app.shell) await writeRootFiles(app.folder, app.shell, browserFolder);
  // Before files are listed: every remaining file is served.
  const maps = await takeSourceMaps(browserFolder, await listPaths(browserFolder));
  const entry = await finishEntry(browserFolder, bundle.entry, maps);
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
    ...(app.remote
      ? remoteContents(app, app.remote, bundle, cards)
      : await shellContents(app, bundle, browserFolder)),
  };
  // The id covers everything that determines the version's behavior, and nothing that differs between builds.
  const version = `${app.packageVersion}-${shortHash(JSON.stringify(contents))}`;
  const parsed = v.safeParse(VersionManifestSchema, {
    ...contents,
    version,
    ...(await writeSourceMaps(dist, maps)),
    commit: null,
    builtAt: new Date().toISOString(),
  });
  if (parsed.success) return parsed.output;
  throw new BuildError(
    `${app.name} cannot be published as it is. Rename the rejected file, or remove what exceeds ` +
      `a limit:\n${issueLines(parsed.issues)}`,
  );
}

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
  return { sourceMaps: { path: SOURCE_MAPS, size: packed.length, integrity: computeIntegrity(packed) } };
}

/**
 * Inserts the integrity of all other files into the entry and adds a content hash to its name. Adjusts its
 * source map.
 */
async function finishEntry(folder: string, entry: string, maps: Map<string, SourceMap>): Promise<string> {
  const from = join(folder, entry);
  const others = (await listPaths(folder)).filter((path) => path !== entry);
  const files = await Promise.all(
    others.map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })),
  );
  const built = await readFile(from, 'utf8');
  const integrity = chunkIntegrity(built, files);
  const source = built.replaceAll(CHUNK_INTEGRITY, () => integrity);
  const hashed = entry.replace(/js$/, `${shortHash(source)}.js`);
  await writeFile(join(folder, hashed), source);
  await rm(from);
  const map = maps.get(entry);
  maps.delete(entry);
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
      return { path, size: bytes.length, integrity: computeIntegrity(bytes) };
    }),
  );
}

function remoteContents(app: App, config: RemoteConfig, bundle: Bundle, cards: Map<string, string>) {
  const pages: PageEntry[] = config.pages.map(({ path, page, variants, outcomes, card }) => ({
    path,
    module: moduleKey(page),
    ...bundle.moduleFiles(moduleKey(page)),
    ...(variants ? { variants } : {}),
    ...(outcomes ? { outcomes } : {}),
    ...(card ? { card: { file: cards.get(path) ?? '', text: card } } : {}),
  }));
  return {
    kind: 'remote' as const,
    owner: config.owner,
    pages,
    redirects: config.redirects,
    ...(config.forms?.length ? { declaredForms: config.forms } : {}),
    requires: app.sharedVersions,
    ...(bundle.ownRuntime ? { ownRuntime: true as const } : {}),
  };
}

async function shellContents(app: App, { entryFiles = [] }: Bundle, browserFolder: string) {
  const files = await listPaths(browserFolder);
  return {
    kind: 'shell' as const,
    owner: 'shell',
    provides: app.sharedVersions,
    document: {
      css: entryFiles.filter((path) => path.endsWith('.css')),
      inlineScripts: files.filter((path) => path.startsWith('inline/')),
      // No preloads: browsers delay the first paint for a preloaded font.
      fonts: [],
      rootFiles: listRootFiles(files),
    },
  };
}

export function listRootFiles(paths: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of paths.filter((each) => each.startsWith('root/'))) {
    const name = unhashed(path);
    if (files[name] !== undefined)
      throw new BuildError(`Two files have the name "/${name}": "${files[name]}" and "${path}". Rename one.`);
    files[name] = path;
  }
  return files;
}

/** `root/favicon.1a2b3c4d5e6f.svg` → `favicon.svg` */
function unhashed(path: string): string {
  return path.replace(/^root\//, '').replace(/\.[0-9a-f]{12}(\.[a-z0-9]+)$/, '$1');
}
