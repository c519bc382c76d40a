import { ChannelNameSchema, EmailSchema } from '@site/contract';
import { TokenSchema } from '@site/contract/secret.schema';
import { withTrailingSlash } from '@site/contract/urls';
import { adminTokenVariable } from '@site/server/admin-access';
import {
  listVariable,
  numberVariable,
  originsVariable,
  portVariable,
  serverVariables,
  urlVariable,
  type LogLevel,
} from '@site/server/config';
import { DAY_SECONDS } from '@site/server/durations';
import { rateLimitDefaults, rateLimitVariables, type RateLimit } from '@site/server/rate-limit';
import * as v from 'valibot';
import type { PostLimitsConfig } from './kernel/post-limits.ts';
import type { EmailLimitsConfig } from './outbox/email-limits.ts';
import type { MailConfig } from './outbox/transport.ts';
import type { CaptchaConfig } from './submissions/captcha.ts';
import type { RegistryConfig } from './submissions/fetch-live-site.ts';

export interface FormsConfig {
  jwksUrl: string;
  appIds: string[];
  origins: string[];
  identityRetention: number;
  /** Authorizes export and erasure of visitors' data; null disables them. */
  adminToken: string | null;
  inboxToken: string | null;
  rateLimit: RateLimit;
  captcha: CaptchaConfig;
  /** The registry that knows the declared forms; null: only the site's own forms are accepted. */
  registry: RegistryConfig | null;
  recipients: Readonly<Record<string, string>>;
  postLimits: PostLimitsConfig;
  mailLimits: EmailLimitsConfig;
  /** The public URL of this service, with a trailing slash, for links in emails and for form actions. */
  publicUrl: string;
  mail: MailConfig | null;
  logLevel: LogLevel;
  trustProxy: number | string[];
}

export const formsDefaults: Omit<FormsConfig, 'jwksUrl'> = {
  appIds: [],
  origins: [],
  // Shorter than the gateway's retention of guests (396 days), so that no new guest gets the id of a stored
  // identity. Each of the two jobs can be a day late, and a token from the last visit is valid for one.
  identityRetention: 392 * DAY_SECONDS,
  adminToken: null,
  inboxToken: null,
  rateLimit: rateLimitDefaults,
  // A third of a second on a laptop, a second on a slow phone.
  captcha: { cost: 1_000, fewestTries: 300, mostTries: 700, lifetime: 600, perHour: 10 },
  postLimits: { formPostsPerHour: 30, referralsPerDay: 10 },
  mailLimits: { confirmationsPerSender: 3, invitationsPerSender: 20, mailsPerDomain: 50, mailsPerDay: 1_000 },
  publicUrl: 'http://localhost:8082/',
  mail: null,
  registry: null,
  recipients: {},
  logLevel: 'silent',
  trustProxy: 0,
};

export const mailVariables = {
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol),
        'It must be an SMTP URL, such as "smtps://user:password@mail.example.com".',
      ),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(?:[^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
        'It must be a sender, such as "Blocks <hello@example.com>".',
      ),
    ),
  ),
};

const limitVariable = (most: number) => numberVariable(most, 0, 1_000_000);

const recipientsVariable = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
  v.check(
    // The settings are used as they are, so an address must be in its normal form.
    (parts) =>
      parts.every((part) => {
        const address = addressIn(part);
        const email = v.safeParse(EmailSchema, address);
        return /^[a-z][a-z0-9-]*=/.test(part) && email.success && email.output === address;
      }),
    'It must be a list of teams with an address, such as "people=jobs@example.com,sales=sales@example.com".',
  ),
  v.transform((parts) =>
    Object.fromEntries(parts.map((part) => [part.split('=', 1)[0] ?? '', addressIn(part)])),
  ),
);
const addressIn = (part: string) => part.slice(part.indexOf('=') + 1);

export const formVariables = {
  FORM_DAYS: numberVariable(7, 1, 90),
  FORM_RECIPIENTS: recipientsVariable,
};

export const limitVariables = {
  FORM_POSTS_PER_HOUR: limitVariable(formsDefaults.postLimits.formPostsPerHour),
  REFERRALS_PER_DAY: limitVariable(formsDefaults.postLimits.referralsPerDay),
  CONFIRMATIONS_PER_SENDER: limitVariable(formsDefaults.mailLimits.confirmationsPerSender),
  INVITATIONS_PER_SENDER: limitVariable(formsDefaults.mailLimits.invitationsPerSender),
  MAILS_PER_DOMAIN: limitVariable(formsDefaults.mailLimits.mailsPerDomain),
  MAILS_PER_DAY: limitVariable(formsDefaults.mailLimits.mailsPerDay),
  CAPTCHAS_PER_HOUR: limitVariable(formsDefaults.captcha.perHour),
};

export function readLimits(
  env: Record<keyof typeof limitVariables, number>,
): Pick<FormsConfig, 'postLimits' | 'mailLimits' | 'captcha'> {
  return {
    postLimits: { formPostsPerHour: env.FORM_POSTS_PER_HOUR, referralsPerDay: env.REFERRALS_PER_DAY },
    mailLimits: {
      confirmationsPerSender: env.CONFIRMATIONS_PER_SENDER,
      invitationsPerSender: env.INVITATIONS_PER_SENDER,
      mailsPerDomain: env.MAILS_PER_DOMAIN,
      mailsPerDay: env.MAILS_PER_DAY,
    },
    captcha: { ...formsDefaults.captcha, perHour: env.CAPTCHAS_PER_HOUR },
  };
}

export const FormsEnvSchema = v.pipe(
  v.object({
    ...serverVariables,
    ...rateLimitVariables,
    ...mailVariables,
    ...limitVariables,
    PORT: portVariable(8082),
    /** Such as `https://api.example.com/gateway/.well-known/jwks.json`. */
    JWKS_URL: urlVariable(),
    APP_IDS: listVariable(),
    SITE_ORIGINS: originsVariable(['http://localhost:8080']),
    /** At least four days less than the gateway's RETENTION_SECONDS. */
    IDENTITY_RETENTION_SECONDS: numberVariable(
      formsDefaults.identityRetention,
      DAY_SECONDS,
      4_000 * DAY_SECONDS,
    ),
    ADMIN_TOKEN: adminTokenVariable,
    /** The registry's INBOX_TOKEN. Do not share it with others. */
    INBOX_TOKEN: adminTokenVariable,
    PUBLIC_URL: v.optional(urlVariable()),
    REGISTRY_URL: v.optional(urlVariable()),
    REGISTRY_TOKEN: v.optional(TokenSchema),
    CHANNEL: v.optional(ChannelNameSchema, 'production'),
    ...formVariables,
  }),
  v.forward(
    v.check(
      ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined,
      'SMTP_URL needs it.',
    ),
    ['MAIL_FROM'],
  ),
  v.forward(
    v.check(
      ({ REGISTRY_URL, REGISTRY_TOKEN }) => REGISTRY_URL === undefined || REGISTRY_TOKEN !== undefined,
      'REGISTRY_URL requires a token of the registry, such as one with the scope "read".',
    ),
    ['REGISTRY_TOKEN'],
  ),
  v.forward(
    v.check(
      ({ SMTP_URL, PUBLIC_URL }) => SMTP_URL === undefined || PUBLIC_URL !== undefined,
      'SMTP_URL needs it.',
    ),
    ['PUBLIC_URL'],
  ),
);

export function readFormsConfig(env: v.InferOutput<typeof FormsEnvSchema>): FormsConfig {
  return {
    jwksUrl: env.JWKS_URL,
    appIds: env.APP_IDS,
    origins: env.SITE_ORIGINS,
    identityRetention: env.IDENTITY_RETENTION_SECONDS,
    adminToken: env.ADMIN_TOKEN ?? null,
    inboxToken: env.INBOX_TOKEN ?? null,
    rateLimit: { perAddress: env.RATE_LIMIT_PER_ADDRESS, perGuest: env.RATE_LIMIT_PER_GUEST },
    ...readLimits(env),
    publicUrl: withTrailingSlash(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    mail: readMailConfig(env),
    registry: readRegistryConfig(env),
    recipients: env.FORM_RECIPIENTS,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  };
}

function readRegistryConfig({
  REGISTRY_URL: url,
  REGISTRY_TOKEN: token,
  CHANNEL: channel,
  FORM_DAYS: days,
}: v.InferOutput<typeof FormsEnvSchema>): RegistryConfig | null {
  return url === undefined || token === undefined ? null : { url, token, channel, days };
}

export function readMailConfig({
  SMTP_URL,
  MAIL_FROM,
}: {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
}): MailConfig | null {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  return { smtpUrl: SMTP_URL, from: MAIL_FROM };
}
