import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { isHttpsOrLocal } from '../urls.ts';
import { mapSchema } from '../schema-tools.ts';
import { onePlainLine } from '../text.schema.ts';
import { call } from './call.ts';
import { dryRun, ReasonedRequestSchema } from './fields.ts';

export const EXCHANGE_PATH = '/v1/token-exchange';

export const EXCHANGE_FORM = 'application/x-www-form-urlencoded';
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const ID_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
] as const;
export const ID_TOKEN_TYPE = ID_TOKEN_TYPES[0];

export const ExchangeRequestSchema = v.strictObject({
  grant_type: v.literal(EXCHANGE_GRANT, `"grant_type" must be "${EXCHANGE_GRANT}".`),
  subject_token: v.pipe(
    v.string('"subject_token" is missing: it is the id token of the pipeline.'),
    v.minLength(1, '"subject_token" is empty: it is the id token of the pipeline.'),
    v.maxLength(16_384, '"subject_token" has more than 16,384 characters.'),
  ),
  subject_token_type: v.picklist(ID_TOKEN_TYPES, `"subject_token_type" must be "${ID_TOKEN_TYPE}".`),
});

export const ExchangeAnswerSchema = v.object({
  access_token: v.string(),
  issued_token_type: v.string(),
  token_type: v.string(),
  /** In seconds. */
  expires_in: v.number(),
  scope: v.string(),
});
export type ExchangeAnswer = v.InferOutput<typeof ExchangeAnswerSchema>;

/** Issuers are compared as strings, so they must be canonical. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username + url.password + url.search + url.hash !== '') return false;
  if (url.href !== text && url.href !== `${text}/`) return false;
  return isHttpsOrLocal(url);
}

const IssuerSchema = v.pipe(
  v.string(),
  v.maxLength(300, 'An issuer has at most 300 characters.'),
  v.check(
    isIssuer,
    'An issuer is the address that its tokens have as "iss", such as ' +
      '"https://token.actions.githubusercontent.com": it begins with "https://" (on this machine ' +
      '"http://localhost" will do) and has no user, password, "?" and "#".',
  ),
);

const line = (what: string) =>
  v.pipe(
    v.string(),
    v.minLength(1, `${what} is not empty.`),
    v.maxLength(300, `${what} has at most 300 characters.`),
    onePlainLine,
  );

/** An exact value, or a prefix followed by one `*`. */
const pattern = (what: string) =>
  v.pipe(
    line(what),
    v.regex(
      /^[^*]+\*?$/,
      `${what} is given exactly, or with one "*" at its end. "*" alone would match everyone.`,
    ),
  );

/** Claims that are checked anyway or do not identify a pipeline. */
const CHECKED_CLAIMS = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

/** Prefixes that an issuer assigns to anyone: `repo:*` is every repository of GitHub. */
const matchesAnySubject = (subject: string) => /^[^/:]*:?\*$/.test(subject);

const request = v.strictObject({
  app: AppNameSchema,
  issuer: IssuerSchema,
  subject: v.pipe(
    pattern('A subject'),
    v.regex(
      /^[^*]+$|[:/]\*$/,
      'The "*" of a subject must follow ":" or "/": "repo:acme/car*" would also match "acme/cars-of-others".',
    ),
  ),
  audience: line('An audience'),
  claims: v.optional(
    v.pipe(
      mapSchema(
        v.pipe(
          v.string(),
          v.regex(
            /^[A-Za-z0-9_.:/-]{1,100}$/,
            'The name of a claim has 1 to 100 letters, digits, ".", "_", ":", "/" or "-".',
          ),
          v.check(
            (name) => !CHECKED_CLAIMS.has(name),
            ({ input }) =>
              `"${input}" is not for --claim: issuer, subject, audience and times are always checked.`,
          ),
        ),
        pattern('A claim'),
      ),
      v.maxEntries(10, 'At most 10 claims are allowed.'),
    ),
    {},
  ),
  activate: v.optional(v.boolean(), false),
  ...dryRun,
});

export const TrustRequestSchema = v.pipe(
  request,
  v.forward(
    v.check(
      ({ subject, claims }) =>
        !matchesAnySubject(subject) || Object.values(claims).some((claim) => !claim.endsWith('*')),
      ({ input: { subject } }) =>
        `"${subject}" would match everyone at this issuer. Name an owner ("repo:acme/*"), or give an exact claim.`,
    ),
    ['subject'],
  ),
);
export type TrustRequest = v.InferOutput<typeof TrustRequestSchema>;

const trust = {
  id: v.string(),
  app: v.string(),
  issuer: v.string(),
  subject: v.string(),
  audience: v.string(),
  claims: mapSchema(v.string(), v.string()),
  activate: v.boolean(),
};

const TrustMadeSchema = v.object({ ...trust, dryRun: v.optional(v.boolean()) });
export type TrustMade = v.InferOutput<typeof TrustMadeSchema>;

const TrustsSchema = v.object({
  trusts: v.array(
    v.object({
      ...trust,
      by: v.string(),
      at: v.string(),
      usedAt: v.nullable(v.string()),
    }),
  ),
});
export type Trusts = v.InferOutput<typeof TrustsSchema>;

const TrustRemovedSchema = v.object({
  id: v.string(),
  app: v.string(),
  subject: v.string(),
  ended: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type TrustRemoved = v.InferOutput<typeof TrustRemovedSchema>;

export const trustCalls = {
  addTrust: call({
    method: 'POST',
    path: '/v1/trusts',
    summary: 'Add a trust for a pipeline',
    description: `The pipeline exchanges its id token at \`POST ${EXCHANGE_PATH}\` for a 15-minute token.`,
    body: TrustRequestSchema,
    answer: TrustMadeSchema,
    created: true,
    scope: 'ops',
    once: true,
    errors: ['trust_exists', 'trusts_full'],
  }),
  listTrusts: call({
    method: 'GET',
    path: '/v1/trusts',
    summary: 'List the trusted pipelines',
    answer: TrustsSchema,
    scope: 'ops',
  }),
  removeTrust: call({
    method: 'POST',
    path: '/v1/trusts/:trust/removals',
    summary: 'Remove a trust',
    description: 'Its tokens are revoked immediately, and so are the previews made with them.',
    params: { trust: v.string() },
    body: ReasonedRequestSchema,
    answer: TrustRemovedSchema,
    scope: 'ops',
    once: true,
    errors: ['trust_unknown'],
  }),
};
