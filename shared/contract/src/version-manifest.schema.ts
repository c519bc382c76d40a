import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { integrityPattern } from './boot-data.ts';
import { CardTextSchema } from './card.schema.ts';
import { FormContractSchema } from './form-contract.ts';
import { FormDeclarationsSchema } from './forms/declared-form.schema.ts';
import { mapSchema } from './map.schema.ts';
import { PagePathSchema, RedirectSchema, VariantsSchema } from './route.schema.ts';
import { RootNameSchema } from './shell-config.schema.ts';
import { lineSchema, onePlainLine } from './text.schema.ts';
import { choiceCount, tooMany, versionLimits } from './version-limits.ts';
import { TimestampSchema } from './timestamp.schema.ts';

/** See `integrityPattern`. */
export const IntegritySchema = v.pipe(
  v.string(),
  v.regex(integrityPattern, 'An integrity is "sha384-" followed by 64 base64 characters.'),
);
export type Integrity = v.InferOutput<typeof IntegritySchema>;

/** A file path inside a build: no leading slash, no `..`, no empty or hidden segment. */
export const FilePathSchema = v.pipe(
  v.string(),
  v.maxLength(200, 'A file path has at most 200 characters.'),
  v.regex(
    /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/,
    'A file path is relative, with letters, digits, ".", "_" and "-" only.',
  ),
);

/** A file of a version. `size` in bytes, uncompressed. */
export const FileEntrySchema = v.strictObject({
  path: FilePathSchema,
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  integrity: IntegritySchema,
});
export type FileEntry = v.InferOutput<typeof FileEntrySchema>;

/** Names of files of one kind, each once: a document holds or preloads them all. */
const fileList = (ending: RegExp, kind: string) =>
  v.pipe(
    v.array(v.pipe(FilePathSchema, v.regex(ending, `This list takes only files of one kind: ${kind}.`))),
    v.maxLength(versionLimits.pageFiles, tooMany(`files in one list (${kind})`)),
    v.check((paths) => new Set(paths).size === paths.length, 'A file is listed twice.'),
  );
const scripts = fileList(/\.js$/, '.js');
const stylesheets = fileList(/\.css$/, '.css');

/** A page of a published version: its route, its federated module and the files its first view needs. */
export const PageEntrySchema = v.strictObject({
  path: PagePathSchema,
  /** The key in the container's `exposes`, such as `./blocks-page`. */
  module: v.pipe(
    v.string(),
    v.maxLength(200, 'The key of a module has at most 200 characters.'),
    v.regex(
      /^\.\/[a-z0-9-]+$/,
      'The key of a module is "./" and lower-case letters, digits and "-", such as "./blocks-page".',
    ),
  ),
  /** Paths among `assets`, in load order, without the entry. */
  js: scripts,
  css: stylesheets,
  variants: v.optional(VariantsSchema),
  /** The link preview image: a path among `assets`, and the line that it shows. */
  card: v.optional(v.strictObject({ file: FilePathSchema, text: CardTextSchema })),
});
export type PageEntry = v.InferOutput<typeof PageEntrySchema>;

const common = {
  /** The version of this schema, so that a registry can refuse what it does not know. */
  schema: v.literal(1),
  app: AppNameSchema,
  version: VersionIdSchema,
  owner: v.pipe(lineSchema('Name the team that owns the app.'), onePlainLine),
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,40}$/))),
  builtAt: TimestampSchema,
  /** The files served under `/assets/<app>/`. Their names carry a hash of their contents. */
  assets: v.pipe(
    v.array(FileEntrySchema),
    v.minLength(1),
    v.maxLength(versionLimits.assets, tooMany('assets')),
  ),
  /** The bundle that renders the pages ahead of time; never served. */
  server: FileEntrySchema,
  /**
   * The source maps of its scripts in one file, as `packSourceMaps` writes it; never served. They do not identify the version:
   * other source lines that give the same scripts give the same version. Former builds have none.
   */
  sourceMaps: v.optional(
    v.strictObject({
      ...FileEntrySchema.entries,
      size: v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(
          versionLimits.sourceMapBytes,
          `Source maps have at most ${versionLimits.sourceMapBytes} bytes.`,
        ),
      ),
    }),
  ),
  /** The script that is loaded first: `remoteEntry.<hash>.js`, or the shell's main script. */
  entry: FilePathSchema,
  /** What it sends to the forms service, by the name of the form; made by the build. None when it sends nothing. */
  forms: v.optional(
    v.pipe(
      mapSchema(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,99}$/)), FormContractSchema),
      v.maxEntries(versionLimits.forms, tooMany('forms')),
    ),
  ),
};

/** `{ "@site/kit": "^1.0.0", "react": "^19.3.0" }` */
const RangesSchema = v.pipe(
  mapSchema(lineSchema('Name the package.', 214), lineSchema('Name the versions of the package.', 200)),
  v.maxEntries(versionLimits.ranges, tooMany('shared modules')),
);

/** `version.json` of a remote. */
export const RemoteManifestSchema = v.strictObject({
  kind: v.literal('remote'),
  ...common,
  pages: v.pipe(
    v.array(PageEntrySchema),
    v.minLength(1),
    v.maxLength(versionLimits.pages, tooMany('pages')),
    v.check(
      (pages) => renderings(pages) <= versionLimits.renderings,
      ({ input }) =>
        `The pages have ${renderings(input)} renderings (each counts once for every choice of its variants); a version has at most ${versionLimits.renderings}.`,
    ),
  ),
  redirects: v.pipe(v.array(RedirectSchema), v.maxLength(versionLimits.redirects, tooMany('redirects'))),
  /** Its own forms. Former builds have none, and so has a remote without. */
  declaredForms: v.optional(FormDeclarationsSchema),
  /** Semver ranges of what the shell has to offer: what the remote takes at run time, and the contract and styles that it was built for. */
  requires: RangesSchema,
  /** Its entry has a federation runtime of its own, as another bundler wrote it: it may have so much more (`sizeBudgets.ownRuntime`). */
  ownRuntime: v.optional(v.literal(true)),
});
export type RemoteManifest = v.InferOutput<typeof RemoteManifestSchema>;

/** `version.json` of the shell. */
export const ShellManifestSchema = v.strictObject({
  kind: v.literal('shell'),
  ...common,
  /** Exact versions of what the shell offers: what remotes take at run time, and the contract and styles that it has itself. */
  provides: RangesSchema,
  document: v.strictObject({
    /** Stylesheets of the layout, needed by every page. */
    css: stylesheets,
    /** Small scripts put inline at the top of `<head>` (theme), each allowed by its hash in the CSP. */
    inlineScripts: scripts,
    /** Fonts to preload. A browser may hold back the first paint for them. */
    fonts: fileList(/\.woff2$/, '.woff2'),
    /** Files that must answer at the root of the site, such as `favicon.svg`: name at the root → asset. */
    rootFiles: v.pipe(
      mapSchema(RootNameSchema, FilePathSchema),
      v.maxEntries(versionLimits.pageFiles, tooMany('files at the root of the site')),
    ),
  }),
});
export type ShellManifest = v.InferOutput<typeof ShellManifestSchema>;

/** `version.json`: what one published version of one app consists of. */
export const VersionManifestSchema = v.pipe(
  v.variant('kind', [RemoteManifestSchema, ShellManifestSchema]),
  v.forward(
    v.check(
      (manifest) => totalBytes(manifest) <= versionLimits.bytes,
      ({ input }) =>
        `All files together have ${totalBytes(input)} bytes; a version has at most ${versionLimits.bytes}.`,
    ),
    ['assets'],
  ),
  v.forward(
    v.check(
      (manifest) => tableBytes(manifest) <= versionLimits.tableBytes,
      ({ input }) =>
        `Pages, redirects and names of scripts together have ${tableBytes(input)} bytes as JSON; a version has at most ${versionLimits.tableBytes}, for every visitor gets them.`,
    ),
    ['assets'],
  ),
);
export type VersionManifest = v.InferOutput<typeof VersionManifestSchema>;

function renderings(pages: readonly PageEntry[]): number {
  return pages.reduce((sum, { variants }) => sum + choiceCount(variants), 0);
}

function tableBytes(manifest: RemoteManifest | ShellManifest): number {
  const names = manifest.assets.map(({ path }) => path).filter((path) => path.endsWith('.js'));
  const parts = manifest.kind === 'remote' ? [manifest.pages, manifest.redirects, names] : names;
  return JSON.stringify(parts).length;
}

function totalBytes({ assets, server }: RemoteManifest | ShellManifest): number {
  return assets.reduce((sum, { size }) => sum + size, server.size);
}
