import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { FilePathSchema, jsonText, type RemoteConfig } from '@site/contract';
import { containerName, moduleKey } from '@site/contract/remote-container';
import type { App } from './app.ts';
import { BuildError } from './build-error.ts';
import { issueLines } from './issue-lines.ts';
import { sharedModules } from './shared-modules.ts';

export const MANIFEST = 'mf-manifest.json';
/** A manifest with 500 pages and 40 files each has 2 MB. */
const MOST_BYTES = 4_000_000;
/** The major version of plugins with this manifest format. */
const PLUGIN_MAJOR = '2';

const AssetsSchema = v.object({ sync: v.array(FilePathSchema), async: v.array(FilePathSchema) });
const FilesSchema = v.object({ js: AssetsSchema, css: AssetsSchema });

/**
 * The used part of a manifest; other fields are ignored.
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

export async function readManifest(folder: string): Promise<FederationManifest> {
  const file = join(folder, MANIFEST);
  const stats = await lstat(file).catch(() => null);
  if (!stats?.isFile()) {
    throw new BuildError(
      `There is no file "${file}": set "manifest: true" in the federation plugin, build, and pass ` +
        'the folder with --from.',
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

/** Why a container does not fit the site, with the change to the bundler's configuration. */
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
    `The federation plugin has version ${pluginVersion}: install version ${PLUGIN_MAJOR}, whose ` +
      'manifests are supported.',
  );
  expect(
    globalName === container,
    `The container is named "${globalName}": write name: "${container}", and no library.name.`,
  );
  expect(
    ['global', 'var', 'window', 'self'].includes(remoteEntry.type),
    `The container has the type "${remoteEntry.type}": write library: { type: "var", name: ` +
      `"${container}" }, or omit it.`,
  );
  expect(
    remoteEntry.path === '' && /^[^/]+\.js$/.test(remoteEntry.name),
    `The entry is "${remoteEntry.path}${remoteEntry.name}": write filename: "remoteEntry.js", without a folder.`,
  );
  expect(
    publicPath === 'auto' || publicPath === assets,
    'The public path is ' +
      `${publicPath === undefined ? 'determined at run time' : `"${publicPath}"`}: write ` +
      `output.publicPath: "${assets}".`,
  );
  expect(
    remotes.length === 0,
    'It uses modules of other remotes: remove "remotes". Remotes meet only in the shell.',
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
        `"${name}" is shared, but the shell does not provide it: remove it from "shared", so that it is bundled.`,
      ];
    const wanted = sharedVersions[given.package];
    const isReact = given.package === 'react';
    const write = `write shared: { "${name}": { singleton: true, import: false } }`;
    return [
      ...(singleton === true ? [] : [`"${name}" is not a singleton: ${write}.`]),
      ...(js.sync.length + js.async.length === 0
        ? []
        : [`"${name}" is also bundled, but the shell provides it: ${write}.`]),
      ...(isReact && requiredVersion !== wanted
        ? [
            `"${name}" is required as "${String(requiredVersion)}", but package.json has ` +
              `"${wanted ?? ''}": remove requiredVersion, or make them equal.`,
          ]
        : []),
    ];
  });
  if (shared.some(({ name }) => name === '@site/kit')) return problems;
  return [
    ...problems,
    '"@site/kit", which every page uses, is not shared: write shared: { "@site/kit": { ' +
      'singleton: true, import: false } }.',
  ];
}
