import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { QuarantineAnswerSchema, QuarantinedSchema } from '../channel-answers.schema.ts';
import { provenanceHeaders, ProvenanceSchema } from '../provenance.ts';
import { ChannelNameSchema } from '../release.schema.ts';
import { PublishAnswerSchema } from '../upkeep-answers.schema.ts';
import { IntegritySchema, VersionManifestSchema } from '../version-manifest.schema.ts';
import { call } from './call.ts';
import { flagInQuery, LARGEST_NUMBER, numberInQuery, PAGE, ReasonedRequestSchema } from './fields.ts';
import { StandingSchema } from './guard.calls.ts';

/** In bytes of JSON. As many files, pages, ranges and forms as a version may have need three quarters of it. */
const LARGEST_MANIFEST_BYTES = 2 * 1024 * 1024;

const changing = {
  method: 'POST',
  params: { app: AppNameSchema, version: v.string() },
  body: ReasonedRequestSchema,
  answer: QuarantineAnswerSchema,
  once: true,
  scope: {
    says: 'activate:<app>',
    of: ({ params: { app } }: { params: { app: string } }) => [`activate:${app}`],
  },
  errors: ['app_unknown', 'version_unknown'],
} as const;

/** Versions: publishing them, what was published, and which of them nobody may activate. */
export const versionCalls = {
  publishVersion: call({
    method: 'POST',
    path: '/v1/versions',
    summary: 'Publish a version',
    description:
      'Makes nothing live. Repeating it changes nothing. With "live-checks=defer" the comparison with the live site is left to the activation.',
    query: {
      'live-checks': v.optional(
        v.picklist(['defer'], ({ received }) => `"live-checks" is ${received}: only "defer" is known.`),
      ),
      'dry-run': flagInQuery('dry-run'),
    },
    headers: provenanceHeaders,
    maxBody: LARGEST_MANIFEST_BYTES,
    body: VersionManifestSchema,
    answer: PublishAnswerSchema,
    created: true,
    scope: { says: 'publish:<app>', of: ({ body: { app } }) => [`publish:${app}`] },
    needsBlobs: true,
    errors: [
      'manifest_malformed',
      'blob_missing',
      'blob_size_mismatch',
      'version_conflict',
      'asset_conflict',
      'quota_exceeded',
      'app_unregistered',
      'path_reserved',
      'path_taken',
      'range_unmet',
      'forms_unmet',
      'page_not_rendered',
      'budget_exceeded',
      'composer_unavailable',
      'composer_busy',
      'compression_busy',
    ],
  }),
  listApps: call({
    method: 'GET',
    path: '/v1/apps',
    summary: 'Every app',
    query: { channel: v.optional(ChannelNameSchema, 'production') },
    answer: v.object({
      apps: v.array(
        v.object({
          app: v.string(),
          newest: v.string(),
          publishedAt: v.string(),
          live: v.nullable(v.string()),
          /** Of the version that is live, the one to fall back to and the newest: those that nobody may activate. */
          quarantined: v.optional(v.array(v.string()), []),
          /** Where the live version comes from. */
          provenance: v.optional(v.nullable(ProvenanceSchema)),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  listVersions: call({
    method: 'GET',
    path: '/v1/apps/:app/versions',
    summary: 'The versions of an app, the one that was published last first',
    description: '"from": beginning with this version, though newer ones were published.',
    params: { app: v.string() },
    query: {
      limit: v.optional(numberInQuery('limit', PAGE), PAGE),
      before: v.optional(numberInQuery('before', LARGEST_NUMBER), LARGEST_NUMBER),
      from: v.optional(v.string()),
      /** Whose visitors say how the versions did. */
      channel: v.optional(ChannelNameSchema, 'production'),
    },
    answer: v.object({
      app: v.string(),
      /** To be asked with as "before" for the versions that follow; null when there are no more. */
      next: v.optional(v.nullable(v.number()), null),
      versions: v.array(
        v.object({
          version: v.string(),
          publishedAt: v.string(),
          publishedBy: v.string(),
          commit: v.nullable(v.string()),
          provenance: v.optional(v.nullable(ProvenanceSchema)),
          /** When its files were removed from the store, if they were. */
          collectedAt: v.optional(v.nullable(v.string()), null),
          quarantined: v.nullable(QuarantinedSchema),
          /** Of all its files, and of those of the version that was published before it. */
          bytes: v.optional(v.number()),
          bytesBefore: v.optional(v.nullable(v.number())),
          pages: v.optional(v.number()),
          standing: v.optional(v.nullable(StandingSchema)),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['app_unknown', 'version_unknown', 'channel_unknown'],
  }),
  readVersion: call({
    method: 'GET',
    path: '/v1/apps/:app/versions/:version',
    summary: 'The manifest of a version',
    params: { app: v.string(), version: v.string() },
    answer: VersionManifestSchema,
    scope: 'any token',
    errors: ['version_unknown'],
  }),
  quarantineVersion: call({
    ...changing,
    path: '/v1/apps/:app/versions/:version/quarantines',
    summary: 'Quarantine a version',
    description: 'Nobody can activate it any more. The site stays as it is.',
  }),
  unquarantineVersion: call({
    ...changing,
    path: '/v1/apps/:app/versions/:version/unquarantines',
    summary: 'Lift the quarantine of a version',
    description: 'What ops have quarantined, only ops allow again.',
  }),
  findAsset: call({
    method: 'GET',
    path: '/v1/assets/:app/*',
    summary: 'The hash of any file that was ever published',
    params: { app: v.string(), '*': v.string() },
    answer: v.object({ integrity: IntegritySchema, size: v.optional(v.number()) }),
    scope: 'any token',
    errors: ['asset_unknown'],
  }),
};
