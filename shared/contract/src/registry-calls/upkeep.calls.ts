import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import {
  AuditAnswerSchema,
  CollectionAnswerSchema,
  RecoveryAnswerSchema,
  RestoreAnswerSchema,
  RevocationAnswerSchema,
  TokenMadeSchema,
  TokensAnswerSchema,
  VerificationAnswerSchema,
} from '../upkeep-answers.schema.ts';
import { call } from './call.ts';
import {
  dryRun,
  flagInQuery,
  LARGEST_NUMBER,
  numberInQuery,
  PAGE,
  ReasonedRequestSchema,
  wholeNumber,
  TimeSchema,
} from './fields.ts';
import { ScopeSchema } from './scopes.ts';

export const GUARD_NAME = 'guard';

export const MAX_TOKEN_DAYS = 3650;

export const TokenRequestSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u,
      'A token is named after its user, such as "ci blocks": letters, digits, spaces, ".", "_", "@", "-", at most 60.',
    ),
    v.check(
      (name) => name.toLowerCase() !== GUARD_NAME,
      `The registry itself acts as "${GUARD_NAME}": choose another name.`,
    ),
  ),
  scopes: v.pipe(
    v.array(ScopeSchema),
    v.minLength(1, 'A token needs at least one scope.'),
    v.maxLength(50, 'A token has at most 50 scopes.'),
    v.transform((scopes) => [...new Set(scopes)]),
  ),
  expiresInDays: v.optional(wholeNumber(1, MAX_TOKEN_DAYS, 'The life of a token in days')),
  ...dryRun,
});
export type TokenRequest = v.InferOutput<typeof TokenRequestSchema>;

export const KEPT_RELEASES = 20;
export const KEPT_DAYS = 30;
export const MAX_KEPT_RELEASES = 10_000;
export const MAX_KEPT_DAYS = 36_500;

export const CollectionRequestSchema = v.strictObject({
  keepReleases: v.optional(
    wholeNumber(1, MAX_KEPT_RELEASES, 'The number of releases to keep'),
    KEPT_RELEASES,
  ),
  keepDays: v.optional(wholeNumber(0, MAX_KEPT_DAYS, 'The number of days to keep'), KEPT_DAYS),
  ...dryRun,
});
export type CollectionRequest = v.InferOutput<typeof CollectionRequestSchema>;

/** Maintenance of a registry. */
export const upkeepCalls = {
  makeToken: call({
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Make a token',
    description:
      'A retry with the same key gets the same token, or an error if it was revoked or has expired.',
    body: TokenRequestSchema,
    answer: TokenMadeSchema,
    created: true,
    scope: 'ops',
    once: true,
    errors: ['token_unknown'],
  }),
  listTokens: call({
    method: 'GET',
    path: '/v1/tokens',
    summary: 'Every token, newest first',
    query: { limit: v.optional(numberInQuery('limit', PAGE), PAGE), before: v.optional(v.string()) },
    answer: TokensAnswerSchema,
    scope: 'ops',
  }),
  revokeToken: call({
    method: 'POST',
    path: '/v1/tokens/:token/revocations',
    summary: 'Revoke a token',
    params: { token: v.string() },
    body: ReasonedRequestSchema,
    answer: RevocationAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['token_unknown', 'token_in_use'],
  }),
  verifyStore: call({
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Verify every file and the audit log',
    body: v.strictObject({}),
    answer: VerificationAnswerSchema,
    scope: 'read',
  }),
  collectGarbage: call({
    method: 'POST',
    path: '/v1/collections',
    summary: 'Delete unused files',
    body: CollectionRequestSchema,
    answer: CollectionAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['registry_busy', 'registry_empty'],
  }),
  takeBackup: call({
    method: 'GET',
    path: '/v1/backup',
    summary: 'Back up the registry to one tar file',
    answer: 'application/x-tar',
    scope: 'ops',
  }),
  restoreBackup: call({
    method: 'POST',
    path: '/v1/restore',
    summary: 'Restore a backup into an empty registry',
    query: { 'dry-run': flagInQuery('dry-run') },
    body: 'application/x-tar',
    answer: RestoreAnswerSchema,
    scope: 'ops',
    errors: ['registry_not_empty', 'backup_invalid'],
  }),
  recover: call({
    method: 'POST',
    path: '/v1/recoveries',
    summary: 'Confirm that the database lost entries, or is a copy',
    description: 'The audit log continues with an entry about the loss, and edges follow again.',
    body: ReasonedRequestSchema,
    answer: RecoveryAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['log_damaged', 'store_unavailable'],
  }),
  listAudit: call({
    method: 'GET',
    path: '/v1/audit',
    summary: 'List audit entries, newest first',
    description: '"action" is a prefix, such as "token.".',
    query: {
      limit: v.optional(numberInQuery('limit', 500), 50),
      before: v.optional(numberInQuery('before', LARGEST_NUMBER), LARGEST_NUMBER),
      by: v.optional(v.string()),
      action: v.optional(v.string()),
      app: v.optional(AppNameSchema),
      since: v.optional(TimeSchema),
    },
    answer: AuditAnswerSchema,
    scope: 'read',
    errors: ['app_unknown'],
  }),
};
