import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { VersionManifest } from '@site/contract';
import type { App } from './app.ts';
import { BuildError } from './build-error.ts';
import { manifestProblems, readManifest, type FederationManifest } from './federation-manifest.ts';
import { finishBuild, type Bundle } from './finish-build.ts';
import { movedBy, readSourceMap } from './source-maps.ts';
import { inputsHash } from './stale.ts';
import {
  elementsWithIntegrity,
  fileProblems,
  readFiles,
  serverBundle,
  type Files,
} from './standard-build.ts';

/**
 * Makes a version of a standard federation container and its server bundle, from any bundler. The result has
 * the same format as `buildApp`'s.
 * @param from the bundler's output folder: `browser/` with `mf-manifest.json`, and `server/` with one file
 * per page.
 * @param inBuildScript whether `npm run build` runs this after bundling the current sources. Otherwise the
 * bundle's sources are unknown.
 * @throws BuildError with all required changes to the bundler's configuration.
 */
export async function packContainer(
  app: App,
  from: string,
  inBuildScript: boolean,
): Promise<VersionManifest> {
  const { remote } = app;
  if (!remote) throw new BuildError('The shell is not a federation container: only remotes can be packed.');
  const folder = resolve(app.folder, from);
  const dist = join(app.folder, 'dist');
  if (!relative(dist, folder).startsWith('..')) {
    throw new BuildError(
      `"${folder}" is the output folder of packing: let the bundler write to another folder, such as "dist.bundle".`,
    );
  }
  const inputs = inBuildScript ? await inputsHash(app.folder) : null;
  const manifest = await readManifest(join(folder, 'browser'));
  const files = await readFiles(join(folder, 'browser'));
  const server = serverBundle(await readFiles(join(folder, 'server')), remote);
  const problems = [
    ...manifestProblems(app, remote, manifest),
    ...fileProblems(app.name, files, manifest),
    ...('problems' in server ? server.problems : []),
  ];
  if (problems.length > 0 || 'problems' in server) {
    throw new BuildError(
      `${app.name} cannot be packed. Change this in the configuration of its ` +
        `bundler:\n${problems.map((each) => `- ${each}`).join('\n')}`,
    );
  }

  const aside = `${dist}.${process.pid}`;
  try {
    for (const [path, bytes] of prepared(app.name, files, manifest))
      await write(aside, `browser/${path}`, bytes);
    await write(aside, 'server/server.js', server.source);
    return await finishBuild(app, aside, describeBundle(manifest), inputs);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** The served files: without source map URLs, and with an entry that adds the integrity of scripts. */
function prepared(app: string, files: Files, { metaData }: FederationManifest): Map<string, Buffer | string> {
  const served = new Map<string, Buffer | string>();
  for (const [path, bytes] of files)
    served.set(path, /\.(js|css)$/.test(path) ? withoutMapAddress(bytes.toString()) : bytes);

  const name = metaData.remoteEntry.name;
  let entry = withoutMapAddress((files.get(name) ?? '').toString());
  const mapFile = files.get(`${name}.map`);
  let map = mapFile && readSourceMap(`${name}.map`, mapFile.toString());
  for (const [text, element] of elementsWithIntegrity(entry, app)) {
    if (map) map = movedBy(map, entry, text, element);
    entry = entry.replaceAll(text, () => element);
  }
  served.set(name, entry);
  if (map) served.set(`${name}.map`, JSON.stringify(map));
  return served;
}

function withoutMapAddress(text: string): string {
  return text.replace(/\n?(?:\/\/# sourceMappingURL=[^\n]*|\/\*# sourceMappingURL=[^\n]*?\*\/)\s*$/, '\n');
}

function describeBundle({ metaData, exposes }: FederationManifest): Bundle {
  return {
    entry: metaData.remoteEntry.name,
    moduleFiles(module) {
      const { js, css } = exposes.find(({ path }) => path === module)?.assets ?? {
        js: { sync: [] },
        css: { sync: [], async: [] },
      };
      // Includes styles of lazily loaded parts: the document has them from the start.
      return { js: js.sync, css: [...new Set([...css.sync, ...css.async])] };
    },
    ownRuntime: true,
  };
}

async function write(folder: string, path: string, content: Buffer | string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
