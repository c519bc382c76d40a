import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { DevOriginSchema, MAX_PREVIEW_MINUTES, PreviewMadeSchema, PreviewSchema } from '../preview.schema.ts';
import { ChannelNameSchema, ReleaseDocumentSchema } from '../release.schema.ts';
import { RevocationAnswerSchema } from '../upkeep-answers.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery, PAGE, ReasonedRequestSchema, wholeNumber } from './fields.ts';

export const PreviewRequestSchema = v.pipe(
  v.strictObject({
    app: AppNameSchema,
    version: v.optional(VersionIdSchema),
    dev: v.optional(DevOriginSchema),
    channel: v.optional(ChannelNameSchema, 'production'),
    expiresInMinutes: v.optional(
      wholeNumber(1, MAX_PREVIEW_MINUTES, 'The life of a preview in minutes'),
      1440,
    ),
    ...dryRun,
  }),
  v.forward(
    v.check(
      ({ version, dev }) => (version === undefined) !== (dev === undefined),
      'A preview shows either a "version" or the remote at "dev".',
    ),
    ['version'],
  ),
  v.forward(
    v.check(({ app, dev }) => dev === undefined || app !== 'shell', 'Only a remote can come from "dev".'),
    ['dev'],
  ),
);
export type PreviewRequest = v.InferOutput<typeof PreviewRequestSchema>;

export const previewCalls = {
  makePreview: call({
    method: 'POST',
    path: '/v1/previews',
    summary: 'Make a preview link',
    description: 'A retry with the same key gets the same link, or an error if the preview has ended.',
    body: PreviewRequestSchema,
    answer: PreviewMadeSchema,
    created: true,
    scope: {
      says: 'publish:<app> or activate:<app>',
      of: ({ body: { app } }) => [[`publish:${app}`, `activate:${app}`]],
    },
    once: true,
    needsBlobs: true,
    errors: [
      'app_unknown',
      'version_unknown',
      'version_quarantined',
      'version_collected',
      'release_incomplete',
      'range_unmet',
      'path_taken',
      'redirect_loop',
      'page_not_rendered',
      'forms_unmet',
      'composer_unavailable',
      'composer_busy',
      'compression_busy',
      'preview_unknown',
      'preview_over',
    ],
  }),
  listPreviews: call({
    method: 'GET',
    path: '/v1/previews',
    summary: 'List active preview links, newest first',
    description: 'Without their secrets, which are shown once.',
    query: { app: v.optional(AppNameSchema), limit: v.optional(numberInQuery('limit', PAGE), PAGE) },
    answer: v.object({
      previews: v.array(
        v.object({
          id: v.string(),
          channel: ChannelNameSchema,
          app: v.string(),
          version: v.nullable(v.string()),
          dev: v.nullable(v.string()),
          by: v.string(),
          createdAt: v.string(),
          expiresAt: v.string(),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['app_unknown'],
  }),
  endPreview: call({
    method: 'POST',
    path: '/v1/previews/:preview/revocations',
    summary: 'End a preview',
    params: { preview: v.string() },
    body: ReasonedRequestSchema,
    answer: RevocationAnswerSchema,
    scope: { says: "publish:<app> or activate:<app> of the preview's app", of: () => [] },
    once: true,
    errors: ['preview_unknown'],
  }),
  readPreview: call({
    method: 'GET',
    path: '/v1/previews/:hash',
    summary: 'Check whether a preview is active',
    description: "By the SHA-256 of its link's id, in hex.",
    params: { hash: v.string() },
    answer: PreviewSchema,
    scope: 'edge:<id>',
    errors: ['preview_unknown', 'preview_over'],
  }),
  readPreviewDocument: call({
    method: 'GET',
    path: '/v1/previews/:hash/document',
    summary: 'Read everything that an edge needs to show a preview',
    params: { hash: v.string() },
    answer: ReleaseDocumentSchema,
    scope: 'edge:<id>',
    needsBlobs: true,
    errors: ['preview_unknown', 'preview_over', 'release_incomplete', 'version_collected'],
  }),
};
