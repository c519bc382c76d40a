import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { ChannelNameSchema, ReleaseIdSchema } from './release.schema.ts';
import { UuidSchema } from './text.schema.ts';

/** The `aud` of the tokens in preview links: no other token of the system passes for one. */
export const PREVIEW_AUDIENCE = 'preview';

/** The signature algorithm of preview tokens: Ed25519 (RFC 8037). */
export const PREVIEW_ALGORITHM = 'EdDSA';

/** The longest life of a preview link: a week. */
export const MAX_PREVIEW_MINUTES = 10_080;

/**
 * The origin of a developer's own machine. Only loopback hosts: whoever opens a preview link must not be led to load
 * scripts from somewhere else under the site's name.
 */
export const DevOriginSchema = v.pipe(
  v.string(),
  v.maxLength(100),
  v.check(
    isLoopbackOrigin,
    'A dev origin is that of this machine, without a path, such as "http://localhost:3002" or "http://127.0.0.1:3002".',
  ),
);

function isLoopbackOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    origin === text && /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  );
}

/**
 * What the token of a preview link says (compact JWS, `alg` EdDSA, `kid` one of `GET /v1/preview-keys`). Times in
 * seconds. Exactly one of `version` and `dev` is there. Verify signature, audience and expiry before believing it.
 */
export const PreviewClaimsSchema = v.object({
  aud: v.literal(PREVIEW_AUDIENCE),
  /** The preview's id. */
  jti: UuidSchema,
  iat: v.number(),
  exp: v.number(),
  channel: ChannelNameSchema,
  app: AppNameSchema,
  version: v.optional(VersionIdSchema),
  dev: v.optional(DevOriginSchema),
});
export type PreviewClaims = v.InferOutput<typeof PreviewClaimsSchema>;

/** `POST /v1/previews`. `url` and `token` (null in a dry run) are as good as a key: whoever has them sees the preview. */
export const PreviewMadeSchema = v.object({
  id: UuidSchema,
  url: v.nullable(v.pipe(v.string(), v.url())),
  token: v.nullable(v.string()),
  expiresAt: v.pipe(v.string(), v.isoTimestamp()),
  /** How many pages had to be rendered for it. */
  rendered: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type PreviewMade = v.InferOutput<typeof PreviewMadeSchema>;

/**
 * `GET /v1/previews/:id`: a preview that is in force. One that is over answers 410 `preview_over`, so this is the cheap way
 * to ask whether it still holds, and whether `stable`, on top of which it is shown, has moved on.
 */
export const PreviewSchema = v.object({
  id: UuidSchema,
  channel: ChannelNameSchema,
  app: AppNameSchema,
  version: v.nullable(VersionIdSchema),
  dev: v.nullable(DevOriginSchema),
  by: v.string(),
  createdAt: v.string(),
  expiresAt: v.string(),
  stable: v.nullable(ReleaseIdSchema),
});
export type Preview = v.InferOutput<typeof PreviewSchema>;

/** `GET /v1/preview-keys`: the public keys (JWK set, RFC 7517). Ask again when a token names a `kid` that is not among them. */
export const PreviewKeysSchema = v.object({
  keys: v.array(
    v.looseObject({
      kty: v.literal('OKP'),
      crv: v.literal('Ed25519'),
      x: v.string(),
      kid: v.string(),
    }),
  ),
});
export type PreviewKeys = v.InferOutput<typeof PreviewKeysSchema>;
