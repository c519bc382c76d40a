import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { keptAuthorFields } from './author-fields.ts';
import { mapSchema } from './schema-tools.ts';
import { PagePathSchema, RedirectTargetSchema } from './route.schema.ts';
import { searchLimits } from './search.ts';
import { ShareSchema } from './share.schema.ts';
import { SiteConfigSchema } from './site-config.schema.ts';
import { IntegritySchema, VersionManifestSchema } from './version-manifest.schema.ts';
import { TimestampSchema } from './timestamp.schema.ts';

export const ChannelNameSchema = v.picklist(['production', 'staging']);
export type ChannelName = v.InferOutput<typeof ChannelNameSchema>;

export const ReleaseIdSchema = v.pipe(
  v.string(),
  v.regex(/^r[1-9]\d*$/, 'A release id is "r" and a number, such as "r12".'),
);
export type ReleaseId = v.InferOutput<typeof ReleaseIdSchema>;

export function releaseNumber(id: ReleaseId): number {
  return Number(id.slice(1));
}

export const RetiredSchema = v.object({
  /** Its last version. */
  version: VersionIdSchema,
  to: v.nullable(RedirectTargetSchema),
  paths: v.array(v.union([PagePathSchema, v.literal('/')])),
});
export type Retired = v.InferOutput<typeof RetiredSchema>;

/** A set of versions that is live together. Append-only: activating, promoting and rolling back each append one. */
export const ReleaseSchema = v.object({
  id: ReleaseIdSchema,
  channel: ChannelNameSchema,
  kind: v.picklist(['activate', 'promote', 'rollback']),
  apps: mapSchema(AppNameSchema, VersionIdSchema),
  /** For each remote the version to fall back to in the browser when this one cannot be loaded. */
  lastGood: mapSchema(AppNameSchema, VersionIdSchema),
  /** The remotes that it leaves out, each with the version that it had. Its addresses answer as unknown ones. */
  leftOut: v.optional(mapSchema(AppNameSchema, VersionIdSchema)),
  /** The remotes that were retired. A page of the release comes before an address of theirs. */
  retired: v.optional(mapSchema(AppNameSchema, RetiredSchema)),
  config: SiteConfigSchema,
  by: v.string(),
  ...keptAuthorFields,
  at: TimestampSchema,
  parent: v.nullable(ReleaseIdSchema),
});
export type Release = v.InferOutput<typeof ReleaseSchema>;

export const MAX_REVOKED = 200;

/** An entry of the registry's audit log. Each declared loss of entries starts a new epoch. */
export const LogPositionSchema = v.object({
  epoch: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_000)),
  sequence: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647)),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
export type LogPosition = v.InferOutput<typeof LogPositionSchema>;

/** Identifies a release by its contents: a number can be issued again after a database lost entries. */
export const ReleaseDigestSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** Names the configuration where an app is expected: a canary changes one app, or the configuration. */
export const CONFIGURATION = 'config';

/** A running canary. `release` records its start and is its id; `app` is the app that it changes. */
export const CanaryShareSchema = v.object({
  release: ReleaseIdSchema,
  app: v.union([AppNameSchema, v.literal(CONFIGURATION)]),
  share: ShareSchema,
});
export type CanaryShare = v.InferOutput<typeof CanaryShareSchema>;

/** The shell and the configuration are parts of every page, a remote only of its own pages. */
export const changesEveryPage = ({ app }: Pick<CanaryShare, 'app'>): boolean => !app.startsWith('mfe-');

/**
 * The sets of canaries whose pages visitors can get: a page depends on the shell, the configuration and its own remote.
 */
export function pageSets<Canary extends Pick<CanaryShare, 'app'>>(canaries: readonly Canary[]): Canary[][] {
  const remotes = canaries.filter((canary) => !changesEveryPage(canary));
  let sets: Canary[][] = [[], ...remotes.map((canary) => [canary])];
  for (const canary of canaries.filter(changesEveryPage))
    sets = [...sets, ...sets.map((set) => [canary, ...set])];
  return sets.slice(1);
}

/**
 * Where a channel points. `revoked` lists releases and canaries that open tabs must leave: the newest `MAX_REVOKED`,
 * see `mustLeave`.
 */
export const ChannelStateSchema = v.object({
  channel: ChannelNameSchema,
  live: v.nullable(ReleaseIdSchema),
  /** The running canaries, oldest first; at most one per app. */
  canaries: v.array(CanaryShareSchema),
  revoked: v.array(ReleaseIdSchema),
  /** The log's end. Missing from registries of 1.0.0, like `digests`. */
  log: v.optional(LogPositionSchema),
  /** Why edges must not follow: the database lost entries, which is unconfirmed. */
  held: v.optional(v.string()),
  /** By id of the live release and of the canaries. */
  digests: v.optional(mapSchema(v.string(), ReleaseDigestSchema)),
});
export type ChannelState = v.InferOutput<typeof ChannelStateSchema>;

/**
 * Whether a tab with this set must reload at its next navigation. A full list no longer contains older
 * releases, so those reload as well: that costs a visitor one page load and keeps the list short.
 */
export function mustLeave(
  { live, canaries, revoked }: Pick<ChannelState, 'live' | 'canaries' | 'revoked'>,
  set: string,
): boolean {
  const oldest = Math.min(...revoked.map(releaseNumber));
  return set.split('.').some((id) => {
    if (id === live || canaries.some(({ release }) => release === id)) return false;
    return revoked.includes(id) || (revoked.length >= MAX_REVOKED && releaseNumber(id) < oldest);
  });
}

/**
 * Everything an edge needs to serve a release: the manifests of the live and fallback versions (keyed
 * `<app>@<version>`) and, for each page and variant, the blob of its rendered HTML (see
 * `RenderedPageSchema`).
 */
export const ReleaseDocumentSchema = v.object({
  /** The live release; in a document of a set, with the changes of `canaries`. */
  release: ReleaseSchema,
  canaries: v.optional(v.array(ReleaseIdSchema)),
  digest: v.optional(ReleaseDigestSchema),
  manifests: mapSchema(v.string(), VersionManifestSchema),
  /** `path` → `variantKey` (see `variantKey()`) → integrity of the rendered page's blob. */
  rendered: mapSchema(PagePathSchema, mapSchema(v.string(), IntegritySchema)),
  /**
   * Packs: blobs that contain many others, so that an edge needs one request for a version and one for its
   * pages. Every packed blob also exists separately, as a fallback.
   */
  packs: v.optional(
    v.object({
      /** `<app>@<version>` → the pack of its files. */
      files: mapSchema(v.string(), IntegritySchema),
      /** App → the packs of the pages of its version in this release. */
      pages: mapSchema(AppNameSchema, v.array(IntegritySchema)),
    }),
  ),
});
export type ReleaseDocument = v.InferOutput<typeof ReleaseDocumentSchema>;

/** Names what a visitor sees: `r12`, or `r12.r13.r15` with two canaries. */
export const setId = ({ release, canaries = [] }: Pick<ReleaseDocument, 'release' | 'canaries'>): string =>
  [release.id, ...canaries].join('.');

/**
 * A release document in transit. Manifests in the client's known document are omitted: consecutive releases
 * of hundreds of remotes have nearly all of them in common.
 */
export const SentReleaseDocumentSchema = v.object({
  ...ReleaseDocumentSchema.entries,
  /** The release whose manifests are omitted. */
  besides: v.optional(ReleaseIdSchema),
  besidesDigest: v.optional(ReleaseDigestSchema),
  /**
   * Rendered pages and packs of versions in both releases are omitted as well: shell and configuration are
   * equal.
   */
  besidesPages: v.optional(v.boolean()),
});
export type SentReleaseDocument = v.InferOutput<typeof SentReleaseDocumentSchema>;

/**
 * An anchor written by an author. React's generated ids begin with other characters and change between
 * versions.
 */
export const SearchAnchorSchema = v.pipe(v.string(), v.maxLength(100), v.regex(/^[a-z][\w-]*$/i));

/** A section of a page with a heading, as plain text. The first one has the page's title instead. */
export const SearchSectionSchema = v.object({
  /** The element's id. */
  anchor: v.nullable(SearchAnchorSchema),
  heading: v.pipe(v.string(), v.maxLength(searchLimits.heading)),
  text: v.pipe(v.string(), v.maxLength(searchLimits.section)),
});
export type SearchSection = v.InferOutput<typeof SearchSectionSchema>;

export const SearchSectionsSchema = v.pipe(v.array(SearchSectionSchema), v.maxLength(searchLimits.sections));

export const RenderedPageSchema = v.object({
  head: v.string(),
  html: v.string(),
  /** Its searchable text. Invalid values count as missing. */
  sections: v.fallback(v.optional(SearchSectionsSchema), undefined),
});
export type RenderedPage = v.InferOutput<typeof RenderedPageSchema>;
