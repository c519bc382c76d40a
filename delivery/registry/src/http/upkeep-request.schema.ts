import * as v from 'valibot';
import {
  AppNameSchema,
  ChannelNameSchema,
  DevOriginSchema,
  MAX_PREVIEW_MINUTES,
  VersionIdSchema,
} from '@site/contract';
import { ScopeSchema } from '../domain/scopes.ts';
import { ReasonSchema } from './request.schema.ts';

/** The bodies of previews, tokens and upkeep. */
const DryRunSchema = v.optional(v.boolean());

const wholeNumber = (from: number, to: number, what: string) =>
  v.pipe(
    v.number(),
    v.integer(`${what} is a whole number.`),
    v.minValue(from, `${what} is at least ${from}.`),
    v.maxValue(to, `${what} is at most ${to}.`),
  );

export const PreviewRequestSchema = v.pipe(
  v.strictObject({
    app: AppNameSchema,
    /** A published version, or … */
    version: v.optional(VersionIdSchema),
    /** … the developer's own machine. */
    dev: v.optional(DevOriginSchema),
    channel: v.optional(ChannelNameSchema, 'production'),
    expiresInMinutes: v.optional(
      wholeNumber(1, MAX_PREVIEW_MINUTES, 'The life of a preview in minutes'),
      1440,
    ),
    dryRun: DryRunSchema,
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

export const RevocationRequestSchema = v.strictObject({ reason: ReasonSchema, dryRun: DryRunSchema });
export type RevocationRequest = v.InferOutput<typeof RevocationRequestSchema>;

export const TokenRequestSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u,
      'A token is named after who uses it, such as "ci blocks": letters, digits, spaces, ".", "_", "@", "-", at most 60.',
    ),
  ),
  scopes: v.pipe(
    v.array(ScopeSchema),
    v.minLength(1, 'A token needs at least one scope.'),
    v.maxLength(50, 'A token has at most 50 scopes.'),
    v.transform((scopes) => [...new Set(scopes)]),
  ),
  expiresInDays: v.optional(wholeNumber(1, 3650, 'The life of a token in days')),
  dryRun: DryRunSchema,
});
export type TokenRequest = v.InferOutput<typeof TokenRequestSchema>;

export const VerificationRequestSchema = v.optional(v.strictObject({}), {});

export const CollectionRequestSchema = v.strictObject({
  /** The newest releases of each channel that can be activated again at any time. */
  keepReleases: v.optional(wholeNumber(1, 10_000, 'The number of releases to keep'), 20),
  keepDays: v.optional(wholeNumber(0, 36_500, 'The number of days to keep'), 30),
  dryRun: DryRunSchema,
});
export type CollectionRequest = v.InferOutput<typeof CollectionRequestSchema>;
