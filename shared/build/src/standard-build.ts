import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import * as v from 'valibot';
import { FilePathSchema, versionLimits, type RemoteConfig } from '@site/contract';
import { moduleKey } from '@site/contract/remote-container';
import { scriptProblems, styleProblems } from '@site/contract/remote-isolation';
import { BuildError } from './build-error.ts';
import { integrityExpression } from './chunk-integrity.ts';
import { MANIFEST, type FederationManifest } from './federation-manifest.ts';
import { hashInName } from './hash.ts';
import { namesOfSite } from './isolation-plugin.ts';

/** Files for people and for other hosts, which no page needs. */
const leftOut = /^(mf-manifest\.json|mf-stats\.json|@mf-types(\..*)?)$|\.LICENSE\.txt$|\.css\.map$/;

/** Only React itself defines it; libraries only read it. */
const REACT_ITSELF = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';

/** Path → bytes. */
export type Files = ReadonlyMap<string, Buffer>;

/**
 * Reads a bundler's output. Source maps are limited separately.
 * @throws BuildError for special files, names that are invalid in URLs, or too much data.
 */
export async function readFiles(folder: string): Promise<Files> {
  const files = new Map<string, Buffer>();
  const bytes = { maps: 0, others: 0 };
  async function readBelow(below: string): Promise<void> {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((cause: unknown) => {
      throw new BuildError(
        `The folder "${join(folder, below)}" cannot be read: ${(cause as Error).message}. Build ` +
          'first, and pass the folder with --from.',
        { cause },
      );
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (leftOut.test(path)) continue;
      if (entry.isDirectory()) {
        await readBelow(path);
        continue;
      }
      const file = join(folder, path);
      if (!entry.isFile()) {
        throw new BuildError(
          `"${file}" is not a regular file${entry.isSymbolicLink() ? ', but a symbolic link' : ''}: ` +
            'let the bundler write files only.',
        );
      }
      if (!v.is(FilePathSchema, path)) {
        throw new BuildError(
          `"${path}" in "${folder}" is not a valid file name: use letters, digits, ".", "_" and "-" only, at most 200.`,
        );
      }
      const kind = path.endsWith('.map') ? 'maps' : 'others';
      bytes[kind] += (await lstat(file)).size;
      if (bytes[kind] > versionLimits.bytes || files.size >= 2 * versionLimits.assets) {
        throw new BuildError(
          `"${folder}" has more than ${versionLimits.bytes} bytes, or ${versionLimits.assets} files: ` +
            'remove what no page needs.',
        );
      }
      files.set(path, await readFile(file));
    }
  }
  await readBelow('');
  return files;
}

export function fileProblems(app: string, files: Files, { metaData, exposes }: FederationManifest): string[] {
  const entry = metaData.remoteEntry.name;
  const named = exposes.flatMap(({ assets: { js, css } }) =>
    [js, css].flatMap(({ sync, async }) => [...sync, ...async]),
  );
  const missing = [...new Set([entry, ...named])].filter((path) => !files.has(path));
  const scripts = [...files].filter(([path]) => path.endsWith('.js'));
  const unhashed = [...files.keys()].filter(
    (path) => path !== entry && !path.endsWith('.map') && hashInName(path) === null,
  );
  const relative = [...files].flatMap(([path, bytes]) =>
    path.endsWith('.css')
      ? relativeAddresses(bytes.toString())
          .slice(0, 1)
          .map((address) => ({ path, address }))
      : [],
  );
  const shared = [...files].flatMap(([path, bytes]) =>
    path.endsWith('.css')
      ? styleProblems(app, bytes.toString(), namesOfSite(), true).map(
          (problem) =>
            `"${path}": ${problem} Use CSS modules with localIdentName: "${app}-[local]-[hash]" in both builds.`,
        )
      : path.endsWith('.js')
        ? scriptProblems(app, bytes.toString()).map((problem) => `"${path}" ${problem}`)
        : [],
  );
  const withReact = scripts.filter(([, bytes]) => bytes.includes(REACT_ITSELF)).map(([path]) => path);
  return [
    ...missing.map(
      (path) =>
        `${MANIFEST} lists "${path}", which does not exist: build again, into an empty folder (output.clean: true).`,
    ),
    ...unhashed
      .slice(0, 3)
      .map(
        (path) =>
          `The name of "${path}" has no content hash, but browsers cache files for a year: write ` +
          'output.chunkFilename: "[name].[contenthash].js", and the same for filename, ' +
          'cssChunkFilename and assetModuleFilename.',
      ),
    ...leftBehind(files, [entry, ...named])
      .slice(0, 3)
      .map(
        (path) =>
          `Nothing references "${path}", which may be left over from an earlier build: build into an ` +
          'empty folder (output.clean: true).',
      ),
    ...relative
      .slice(0, 3)
      .map(
        ({ path, address }) =>
          `"${path}" references "${address}" relative to its own URL, but documents inline ` +
          `stylesheets: write output.publicPath: "/assets/${app}/".`,
      ),
    ...shared.slice(0, 5),
    ...withReact.map(
      (path) =>
        `"${path}" contains React, but a page must have only the shell's React: write shared: { ` +
        'react: { singleton: true, import: false } }, and the same for "react/jsx-runtime". Remove react-dom.',
    ),
    ...(scripts.length > 1 && !placeOfScripts.test(files.get(entry)?.toString() ?? '')
      ? [
          `"${entry}" does not add scripts by document.createElement("script"), where their integrity ` +
            'is inserted: write target: "web", and remove output.chunkLoading.',
        ]
      : []),
  ];
}

/**
 * Files that are not referenced by the entry, the manifest, or a referenced file: no page can load them. A
 * reference contains the hash in the file's name; a source map belongs to its script.
 */
function leftBehind(files: Files, roots: readonly string[]): string[] {
  const byHash = new Map<string, string[]>();
  for (const path of files.keys()) {
    const hash = hashInName(path) ?? '';
    byHash.set(hash, [...(byHash.get(hash) ?? []), path]);
  }
  const reached = new Set(roots);
  // A Set iterator visits items added during the iteration.
  for (const path of reached) {
    const text = files.get(path)?.toString('latin1') ?? '';
    for (const [hash] of text.matchAll(/[0-9a-f]{8,64}/g))
      for (const other of byHash.get(hash) ?? []) reached.add(other);
  }
  return [...files.keys()].filter((path) => {
    if (path.endsWith('.map')) return !files.has(path.slice(0, -'.map'.length));
    return hashInName(path) !== null && !reached.has(path);
  });
}

/** URLs in a stylesheet that would change their meaning when it is inlined. */
function relativeAddresses(css: string): string[] {
  const found = css.matchAll(
    /\/\*[^]*?\*\/|(?:url\(|image-set\(|@import)\s*(?:"([^"]*)"|'([^']*)')|url\(\s*([^"'()\s][^()\s]*)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g,
  );
  return [...found]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
    .filter((address) => address !== '' && !/^(?:[/#]|[a-z][a-z0-9+.-]*:)/i.test(address));
}

/** Where a bundler's runtime creates script and link elements. Minifiers keep this code. */
const places = /document\.createElement\((["'`])(script|link)\1\)/g;
const placeOfScripts = /document\.createElement\((["'`])script\1\)/;

/** The parts of an entry that create an element, with their replacements that add the integrity. */
export function elementsWithIntegrity(entry: string, app: string): Map<string, string> {
  const address = { script: 'src', link: 'href' } as const;
  return new Map(
    [...entry.matchAll(places)].map(([text, , tag]) => {
      const name = address[tag as keyof typeof address];
      // Always anonymous, because preloads match only with the same CORS mode.
      const integrity = integrityExpression(`u.split("?")[0].split("/assets/${app}/")[1]`);
      const set = `this.integrity=${integrity};this.crossOrigin="anonymous";this.setAttribute("${name}",u)`;
      return [
        text,
        `Object.defineProperty(${text},"${name}",{get(){return this.getAttribute("${name}")},set(u){${set}}})`,
      ];
    }),
  );
}

/**
 * Combines the bundler's server files, one per page, into the file that renders all pages.
 * @returns the problems, if there are any.
 */
export function serverBundle(
  files: Files,
  { pages }: RemoteConfig,
): { problems: string[] } | { source: string } {
  const names = pages.map(({ page }) => moduleKey(page).slice(2));
  const write = (name: string, page: string) =>
    `in a separate build: target: "node", entry: { "${name}": "${page}" }, output.filename: ` +
    '"[name].js", library: { type: "commonjs2" }, asyncChunks: false, and externals: ["react", ' +
    '"react/jsx-runtime", "@site/kit"]';
  const problems = pages.flatMap(({ page }) => {
    const name = moduleKey(page).slice(2);
    const code = files.get(`${name}.js`)?.toString();
    if (code === undefined)
      return [`server/${name}.js, which renders the page, is missing: write it ${write(name, page)}.`];
    const wrong = scriptError(code);
    return wrong === null
      ? []
      : [`server/${name}.js is not a CommonJS script (${wrong}): write it ${write(name, page)}.`];
  });
  const others = [...files.keys()].filter(
    (path) => path.endsWith('.js') && !names.includes(path.slice(0, -'.js'.length)),
  );
  const all = [
    ...problems,
    ...others
      .slice(0, 3)
      .map(
        (path) =>
          `server/${path} belongs to no page: each page is rendered by one file. Write ` +
          'output.asyncChunks: false, and splitChunks: false; and output.clean: true, if it is left ' +
          'over from an earlier build.',
      ),
  ];
  if (all.length > 0) return { problems: all };
  const parts = names.map(
    (name) =>
      `add(${JSON.stringify(`./${name}`)}, function (module, exports) ` +
      `{\n${(files.get(`${name}.js`) ?? '').toString()}\n});\n`,
  );
  return { source: `${ADD}${parts.join('')}` };
}

const ADD = `function add(key, run) {
  const page = { exports: {} };
  run(page, page.exports);
  module.exports[key] = page.exports.default;
}
`;

/** Compiles it like the composer, without running it. */
function scriptError(code: string): string | null {
  try {
    compileFunction(code, ['module', 'exports', 'require']);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
