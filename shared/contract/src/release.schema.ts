import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { keptAuthorFields } from './author-fields.ts';
import { mapSchema } from './map.schema.ts';
import { PagePathSchema, RedirectTargetSchema } from './route.schema.ts';
import { SearchSectionsSchema } from './search.schema.ts';
import { ShareSchema } from './share.schema.ts';
import { SiteConfigSchema } from './site-config.schema.ts';
import { IntegritySchema, VersionManifestSchema } from './version-manifest.schema.ts';
import { TimestampSchema } from './timestamp.schema.ts';

export const ChannelNameSchema = v.picklist(['production', 'staging']);
export type ChannelName = v.InferOutput<typeof ChannelNameSchema>;

/** A release id: `r` and a number that grows with each release of the registry. */
export const ReleaseIdSchema = v.pipe(
  v.string(),
  v.regex(/^r[1-9]\d*$/, 'A release id is "r" and a number, such as "r12".'),
);
export type ReleaseId = v.InferOutput<typeof ReleaseIdSchema>;

/** The number in a release's id: each release has a larger one than those before it. */
export function releaseNumber(id: ReleaseId): number {
  return Number(id.slice(1));
}

/** What is left of an app that was taken off the site: its addresses tell where to go instead, or that they are gone. */
export const RetiredSchema = v.object({
  /** The version that it had. */
  version: VersionIdSchema,
  /** Where its addresses lead; null: they answer that they are gone. */
  to: v.nullable(RedirectTargetSchema),
  /** Its addresses: of its pages and of its redirects, but not `*`. */
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

/** The most revoked releases that a channel lists. */
export const MAX_REVOKED = 200;

/** Where a channel points. `revoked` lists releases that open tabs must leave: the newest `MAX_REVOKED`, see `mustLeave`. */
export const ChannelStateSchema = v.object({
  channel: ChannelNameSchema,
  live: v.nullable(ReleaseIdSchema),
  /** During a canary: the release that `share` percent of the visitors see. */
  canary: v.nullable(v.object({ release: ReleaseIdSchema, share: ShareSchema })),
  revoked: v.array(ReleaseIdSchema),
});
export type ChannelState = v.InferOutput<typeof ChannelStateSchema>;

/**
 * Whether a tab that shows a release loads the whole page at its next navigation. A list that is full does not tell of
 * older releases any more, so these are left as well: that costs a visitor one page load, and keeps the list short.
 */
export function mustLeave(
  { live, canary, revoked }: Pick<ChannelState, 'live' | 'canary' | 'revoked'>,
  release: string,
): boolean {
  if (release === live || release === canary?.release) return false;
  if (revoked.includes(release)) return true;
  const oldest = Math.min(...revoked.map(releaseNumber));
  return revoked.length >= MAX_REVOKED && releaseNumber(release) < oldest;
}

/**
 * Everything an edge needs to serve one release: the manifests of the live and last good versions (keyed
 * `<app>@<version>`) and, for each page and variant, the blob that holds its rendered HTML (see `RenderedPageSchema`).
 */
export const ReleaseDocumentSchema = v.object({
  release: ReleaseSchema,
  manifests: mapSchema(v.string(), VersionManifestSchema),
  /** `path` → `variantKey` (see `variantKey()`) → integrity of the rendered page's blob. */
  rendered: mapSchema(PagePathSchema, mapSchema(v.string(), IntegritySchema)),
  /**
   * Blobs that hold many of the others, so that an edge needs one request for a version and one for its pages. What is not in
   * them, or when one cannot be read, is a blob of its own all the same. Absent in documents of a former registry.
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

/**
 * A release document as it travels. A reader that has the document of another release gets it without the manifests that are in
 * that one: from one release of hundreds of remotes to the next nearly all of them stay.
 */
export const SentReleaseDocumentSchema = v.object({
  ...ReleaseDocumentSchema.entries,
  /** The release whose manifests are left out. */
  besides: v.optional(ReleaseIdSchema),
  /** Rendered pages and their packs are left out, too, of the versions that are live in both: shell and configuration are the same. */
  besidesPages: v.optional(v.boolean()),
});
export type SentReleaseDocument = v.InferOutput<typeof SentReleaseDocumentSchema>;

/** A page rendered ahead of time: the tags for `<head>` and the markup inside `#root`. */
export const RenderedPageSchema = v.object({
  head: v.string(),
  html: v.string(),
  /** What of it can be found by searching. Absent where a former registry rendered it; what cannot be read is taken as that. */
  sections: v.fallback(v.optional(SearchSectionsSchema), undefined),
});
export type RenderedPage = v.InferOutput<typeof RenderedPageSchema>;
