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

export const versionCalls = {
  publishVersion: call({
    method: 'POST',
    path: '/v1/versions',
    summary: 'Publish a version',
    description:
      'Activates nothing. Idempotent. With "live-checks=defer" the checks against the live site happen at activation.',
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
      'blob_private',
      'blob_size_mismatch',
      'remote_not_isolated',
      'version_conflict',
      'asset_conflict',
      'quota_exceeded',
      'app_unregistered',
      'form_recipient_foreign',
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
          quarantined: v.optional(v.array(v.string()), []),
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
    summary: 'List the versions of an app, latest first',
    description: '"from": start with this version, even if newer ones exist.',
    params: { app: v.string() },
    query: {
      limit: v.optional(numberInQuery('limit', PAGE), PAGE),
      before: v.optional(numberInQuery('before', LARGEST_NUMBER), LARGEST_NUMBER),
      from: v.optional(v.string()),
      channel: v.optional(ChannelNameSchema, 'production'),
    },
    answer: v.object({
      app: v.string(),
      next: v.optional(v.nullable(v.number()), null),
      versions: v.array(
        v.object({
          version: v.string(),
          publishedAt: v.string(),
          publishedBy: v.string(),
          commit: v.nullable(v.string()),
          provenance: v.optional(v.nullable(ProvenanceSchema)),
          collectedAt: v.optional(v.nullable(v.string()), null),
          quarantined: v.nullable(QuarantinedSchema),
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
    summary: 'Read the manifest of a version',
    params: { app: v.string(), version: v.string() },
    answer: VersionManifestSchema,
    scope: 'any token',
    errors: ['version_unknown'],
  }),
  quarantineVersion: call({
    ...changing,
    path: '/v1/apps/:app/versions/:version/quarantines',
    summary: 'Quarantine a version',
    description: 'It can no longer be activated. The live site does not change.',
  }),
  unquarantineVersion: call({
    ...changing,
    path: '/v1/apps/:app/versions/:version/unquarantines',
    summary: 'Lift the quarantine of a version',
    description: 'Quarantines by ops can be lifted only by ops.',
  }),
  findAsset: call({
    method: 'GET',
    path: '/v1/assets/:app/*',
    summary: 'The hash of any published file',
    params: { app: v.string(), '*': v.string() },
    answer: v.object({ integrity: IntegritySchema, size: v.optional(v.number()) }),
    scope: 'any token',
    errors: ['asset_unknown'],
  }),
};
