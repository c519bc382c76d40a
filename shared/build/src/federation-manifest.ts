import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { FilePathSchema, jsonText, type RemoteConfig } from '@site/contract';
import { containerName } from '@site/contract/container-name';
import { moduleKey } from '@site/contract/module-key';
import type { App } from './app.ts';
import { BuildError } from './build-error.ts';
import { issueLines } from './issue-lines.ts';
import { sharedModules } from './shared-modules.ts';

/** What the plugins of Module Federation write beside a container. */
export const MANIFEST = 'mf-manifest.json';
/** That of 500 pages, with 40 files each, has 2 MB. */
const MOST_BYTES = 4_000_000;
/** What the plugins of these wrote has this shape. */
const PLUGIN_MAJOR = '2';

const AssetsSchema = v.object({ sync: v.array(FilePathSchema), async: v.array(FilePathSchema) });
const FilesSchema = v.object({ js: AssetsSchema, css: AssetsSchema });

/**
 * As much of a manifest as packing needs; whatever else stands in it is left alone.
 *
 * @see https://module-federation.io/configure/manifest
 */
const ManifestSchema = v.object({
  metaData: v.object({
    globalName: v.string(),
    pluginVersion: v.string(),
    publicPath: v.optional(v.string()),
    remoteEntry: v.object({ name: FilePathSchema, path: v.string(), type: v.string() }),
  }),
  shared: v.array(
    v.object({
      name: v.string(),
      singleton: v.optional(v.boolean()),
      requiredVersion: v.optional(v.union([v.string(), v.literal(false)])),
      assets: FilesSchema,
    }),
  ),
  remotes: v.array(v.unknown()),
  exposes: v.array(v.object({ path: v.string(), assets: FilesSchema })),
});
export type FederationManifest = v.InferOutput<typeof ManifestSchema>;

/** @throws BuildError when there is none, or one of another shape. */
export async function readManifest(folder: string): Promise<FederationManifest> {
  const file = join(folder, MANIFEST);
  const stats = await lstat(file).catch(() => null);
  if (!stats?.isFile()) {
    throw new BuildError(
      `There is no file "${file}": set "manifest: true" in the federation plugin, build, and name the folder with --from.`,
    );
  }
  if (stats.size > MOST_BYTES) {
    throw new BuildError(`"${file}" has ${stats.size} bytes; a manifest has at most ${MOST_BYTES}.`);
  }
  const text = await readFile(file, 'utf8');
  const parsed = v.safeParse(jsonText(ManifestSchema), text);
  if (parsed.success) return parsed.output;
  throw new BuildError(
    `"${file}" is not a manifest of Module Federation ${PLUGIN_MAJOR}:\n${issueLines(parsed.issues)}`,
  );
}

/** What of a container's manifest does not fit into the site, each with what to change in the bundler's configuration. */
export function manifestProblems(
  { name, sharedVersions }: App,
  { pages }: RemoteConfig,
  { metaData, shared, remotes, exposes }: FederationManifest,
): string[] {
  const { globalName, pluginVersion, publicPath, remoteEntry } = metaData;
  const container = containerName(name);
  const assets = `/assets/${name}/`;
  const problems: string[] = [];
  const expect = (isFine: boolean, problem: string) => {
    if (!isFine) problems.push(problem);
  };

  expect(
    pluginVersion.startsWith(`${PLUGIN_MAJOR}.`),
    `The federation plugin is ${pluginVersion}: install one of version ${PLUGIN_MAJOR}, whose manifests are understood.`,
  );
  expect(
    globalName === container,
    `The container is called "${globalName}": write name: "${container}", and no library.name.`,
  );
  expect(
    ['global', 'var', 'window', 'self'].includes(remoteEntry.type),
    `The container is of the type "${remoteEntry.type}": write library: { type: "var", name: "${container}" }, or leave it out.`,
  );
  expect(
    remoteEntry.path === '' && /^[^/]+\.js$/.test(remoteEntry.name),
    `The entry is "${remoteEntry.path}${remoteEntry.name}": write filename: "remoteEntry.js", without a folder.`,
  );
  expect(
    publicPath === 'auto' || publicPath === assets,
    `The public path is ${publicPath === undefined ? 'found out at run time' : `"${publicPath}"`}: write output.publicPath: "${assets}".`,
  );
  expect(
    remotes.length === 0,
    'It takes modules of other remotes: leave "remotes" out. Remotes meet in the shell alone.',
  );
  for (const { page } of pages) {
    const key = moduleKey(page);
    expect(
      exposes.some(({ path, assets: { js } }) => path === key && js.sync.length > 0),
      `The page "${page}" is not exposed: write exposes: { "${key}": "${page}" }.`,
    );
  }
  return [...problems, ...sharedProblems(shared, sharedVersions)];
}

function sharedProblems(
  shared: FederationManifest['shared'],
  sharedVersions: App['sharedVersions'],
): string[] {
  const problems = shared.flatMap(({ name, singleton, requiredVersion, assets: { js } }) => {
    const given = sharedModules.find(({ request }) => request === name);
    if (!given)
      return [
        `"${name}" is shared, and the shell does not give it: take it out of "shared", so that it is bundled.`,
      ];
    const wanted = sharedVersions[given.package];
    const isReact = given.package === 'react';
    const write = `write shared: { "${name}": { singleton: true, import: false } }`;
    return [
      ...(singleton === true ? [] : [`"${name}" is not a singleton: ${write}.`]),
      ...(js.sync.length + js.async.length === 0
        ? []
        : [`"${name}" is bundled as well, and the shell gives it: ${write}.`]),
      ...(isReact && requiredVersion !== wanted
        ? [
            `"${name}" is asked for as "${String(requiredVersion)}", and package.json says "${wanted ?? ''}": leave requiredVersion out, or make them equal.`,
          ]
        : []),
    ];
  });
  if (shared.some(({ name }) => name === '@site/kit')) return problems;
  return [
    ...problems,
    `"@site/kit" is not shared, which every page is made with: write shared: { "@site/kit": { singleton: true, import: false } }.`,
  ];
}
