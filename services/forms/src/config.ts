import { ChannelNameSchema, EmailSchema } from '@site/contract';
import { TokenSchema } from '@site/contract/secret.schema';
import { withTrailingSlash } from '@site/contract/trailing-slashes';
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
import type { CaptchaConfig } from './captcha/captcha.ts';
import type { RegistryConfig } from './known-forms/ask-registry.ts';
import type { MailConfig } from './invitations/invitation-mail.ts';
import type { MailLimitsConfig } from './limits/mail-limits.ts';
import type { PostLimitsConfig } from './limits/post-limits.ts';

/** How the forms service behaves. */
export interface FormsConfig {
  /** Where the gateway publishes the keys of its tokens. */
  jwksUrl: string;
  /** The values of the `appid` header that may call; an empty list lets everyone in. */
  appIds: string[];
  /** The origins of the sites whose pages may call, and post forms without JavaScript. Mails lead to the first. */
  origins: string[];
  /** How long an identity is kept after its last registration. Seconds. */
  identityRetention: number;
  /** Its bearer may export and erase visitors' data; null: nobody may. */
  adminToken: string | null;
  /** The registry carries it, which lets people look at what was sent; null: it does not. */
  inboxToken: string | null;
  rateLimit: RateLimit;
  captcha: CaptchaConfig;
  /** Where to ask which forms remotes declare; null: none is taken but those of the site. */
  registry: RegistryConfig | null;
  /** Where teams are told of what came through their forms: team → address. */
  recipients: Readonly<Record<string, string>>;
  /** What one network may post; counted for all instances together. */
  postLimits: PostLimitsConfig;
  /** How many mails go out; counted for all instances together. */
  mailLimits: MailLimitsConfig;
  /** Where this service answers the internet, with a slash at the end: links in mails lead there, its pages post there. */
  publicUrl: string;
  /** How mails are sent; null keeps them in the outbox until there is a way. */
  mail: MailConfig | null;
  logLevel: LogLevel;
  /** See `ServerOptions`. */
  trustProxy: number | string[];
}

export const formsDefaults: Omit<FormsConfig, 'jwksUrl'> = {
  appIds: [],
  origins: [],
  // Gone before the gateway forgets the guest (396 days): nobody can take the id of an identity that is still there. Each
  // of the two jobs can be a day late, and the token of the last visit is good for one.
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

/** The variables that mail needs. Missing `SMTP_URL`: no mail is sent. */
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

/** Where teams are told of what came through their forms: `people=jobs@example.com,sales=sales@example.com`. */
const recipientsVariable = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
  v.check(
    (parts) => parts.every((part) => /^[a-z][a-z0-9-]*=/.test(part) && v.is(EmailSchema, addressIn(part))),
    'It must be a list of teams with an address, such as "people=jobs@example.com,sales=sales@example.com".',
  ),
  v.transform((parts) =>
    Object.fromEntries(parts.map((part) => [part.split('=', 1)[0] ?? '', addressIn(part)])),
  ),
);
const addressIn = (part: string) => part.slice(part.indexOf('=') + 1);

/** What concerns forms that remotes declare. */
export const formVariables = {
  /** How many days a form is taken after its version was live. */
  FORM_DAYS: numberVariable(7, 1, 90),
  FORM_RECIPIENTS: recipientsVariable,
};

/** What limits mails and forms. 0: no limit. */
export const limitVariables = {
  FORM_POSTS_PER_HOUR: limitVariable(formsDefaults.postLimits.formPostsPerHour),
  REFERRALS_PER_DAY: limitVariable(formsDefaults.postLimits.referralsPerDay),
  CONFIRMATIONS_PER_SENDER: limitVariable(formsDefaults.mailLimits.confirmationsPerSender),
  INVITATIONS_PER_SENDER: limitVariable(formsDefaults.mailLimits.invitationsPerSender),
  MAILS_PER_DOMAIN: limitVariable(formsDefaults.mailLimits.mailsPerDomain),
  MAILS_PER_DAY: limitVariable(formsDefaults.mailLimits.mailsPerDay),
  CAPTCHAS_PER_HOUR: limitVariable(formsDefaults.captcha.perHour),
};

/** The limits that an environment stands for. */
export function limitsOf(
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

/** The environment of a forms service that runs alone. */
export const FormsEnvSchema = v.pipe(
  v.object({
    ...serverVariables,
    ...rateLimitVariables,
    ...mailVariables,
    ...limitVariables,
    PORT: portVariable(8082),
    /** Such as `https://api.example.com/gateway/.well-known/jwks.json`. */
    JWKS_URL: urlVariable(),
    /** Separated by commas. */
    APP_IDS: listVariable(),
    SITE_ORIGINS: originsVariable(['http://localhost:8080']),
    /** At least four days less than the gateway's RETENTION_SECONDS. */
    IDENTITY_RETENTION_SECONDS: numberVariable(
      formsDefaults.identityRetention,
      DAY_SECONDS,
      4_000 * DAY_SECONDS,
    ),
    ADMIN_TOKEN: adminTokenVariable,
    /** The same as the INBOX_TOKEN of the registry, and of nobody else. */
    INBOX_TOKEN: adminTokenVariable,
    /** Where this service answers the internet. */
    PUBLIC_URL: v.optional(urlVariable()),
    /** Where the registry is: it knows which forms remotes declare. */
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
      'REGISTRY_URL needs it: any token of the registry, such as one with the scope "read".',
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

/** The configuration that an environment stands for. */
export function formsConfigOf(env: v.InferOutput<typeof FormsEnvSchema>): FormsConfig {
  return {
    jwksUrl: env.JWKS_URL,
    appIds: env.APP_IDS,
    origins: env.SITE_ORIGINS,
    identityRetention: env.IDENTITY_RETENTION_SECONDS,
    adminToken: env.ADMIN_TOKEN ?? null,
    inboxToken: env.INBOX_TOKEN ?? null,
    rateLimit: { perAddress: env.RATE_LIMIT_PER_ADDRESS, perGuest: env.RATE_LIMIT_PER_GUEST },
    ...limitsOf(env),
    publicUrl: withTrailingSlash(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    mail: mailConfigOf(env),
    registry: registryOf(env),
    recipients: env.FORM_RECIPIENTS,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  };
}

function registryOf({
  REGISTRY_URL: url,
  REGISTRY_TOKEN: token,
  CHANNEL: channel,
  FORM_DAYS: days,
}: v.InferOutput<typeof FormsEnvSchema>): RegistryConfig | null {
  return url === undefined || token === undefined ? null : { url, token, channel, days };
}

/** How mail is sent, or null when the environment names no SMTP server. */
export function mailConfigOf({
  SMTP_URL,
  MAIL_FROM,
}: {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
}): MailConfig | null {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  return { smtpUrl: SMTP_URL, from: MAIL_FROM };
}
