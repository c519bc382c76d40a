import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { isLoopbackHost } from './urls.ts';
import { ChannelNameSchema, ReleaseIdSchema } from './release.schema.ts';
import { SECRET } from './secret.schema.ts';
import { UuidSchema } from './text.schema.ts';
import { TimestampSchema } from './timestamp.schema.ts';

export const MAX_PREVIEW_MINUTES = 10_080;

/**
 * The origin of a developer's own machine. Only loopback hosts: a preview link must not load scripts from
 * another machine under the site's name.
 */
export const DevOriginSchema = v.pipe(
  v.string(),
  v.maxLength(100),
  v.check(
    isLoopbackOrigin,
    'A dev origin is an origin of this machine, without a path, such as "http://localhost:3002" ' +
      'or "http://127.0.0.1:3002".',
  ),
);

function isLoopbackOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && /^https?:$/.test(protocol) && isLoopbackHost(hostname);
}

/**
 * `POST /v1/previews`. `url` (null in a dry run) is a secret: anyone who has it sees the preview. It is shown
 * only once.
 */
export const PreviewMadeSchema = v.object({
  id: UuidSchema,
  url: v.nullable(v.pipe(v.string(), v.url())),
  expiresAt: TimestampSchema,
  rendered: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type PreviewMade = v.InferOutput<typeof PreviewMadeSchema>;

/**
 * The random id in a preview link, `/_preview?id=…`, and in the cookie after opening it: 256 bits in
 * base64url.
 */
export const PreviewLinkIdSchema = v.pipe(v.string(), v.regex(SECRET));

/**
 * `GET /v1/previews/:hash`: an active preview, by the SHA-256 (hex) of its link's id. 404 `preview_unknown`,
 * 410 `preview_over`. A cheap check whether it is still active and whether its base release `live` has
 * changed. Exactly one of `version` and `dev` is present.
 */
export const PreviewSchema = v.object({
  id: UuidSchema,
  channel: ChannelNameSchema,
  app: AppNameSchema,
  version: v.nullable(VersionIdSchema),
  dev: v.nullable(DevOriginSchema),
  expiresAt: TimestampSchema,
  live: v.nullable(ReleaseIdSchema),
});
export type Preview = v.InferOutput<typeof PreviewSchema>;
