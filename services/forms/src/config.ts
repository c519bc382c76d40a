import { adminTokenVariable } from '@site/server/admin-access';
import {
  listVariable,
  numberVariable,
  originsVariable,
  portVariable,
  serverVariables,
  urlVariable,
} from '@site/server/config';
import type { LogLevel } from '@site/server/create-server';
import { rateLimitDefaults, rateLimitVariables } from '@site/server/rate-limit';
import type { RateLimit } from '@site/server/rate-limit';
import * as v from 'valibot';
import type { CaptchaConfig } from './captcha/captcha.ts';
import type { MailConfig } from './invitations/invitation-mail.ts';

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
  /** Whoever carries it exports and erases visitors' data; null: nobody. */
  adminToken: string | null;
  rateLimit: RateLimit;
  captcha: CaptchaConfig;
  /** Forms that one address may post an hour without JavaScript, and so without a captcha. 0: no limit. */
  formPostsPerHour: number;
  /** How invitations are sent; null keeps them in the outbox until there is a way. */
  mail: MailConfig | null;
  logLevel: LogLevel;
  /** See `ServerOptions`. */
  trustProxy: number | string[];
}

const DAY = 24 * 60 * 60;

export const formsDefaults: Omit<FormsConfig, 'jwksUrl'> = {
  appIds: [],
  origins: [],
  // Gone before the gateway forgets the guest (396 days): nobody can take the id of an identity that is still there. Each
  // of the two jobs can be a day late, and the token of the last visit is good for one.
  identityRetention: 392 * DAY,
  adminToken: null,
  rateLimit: rateLimitDefaults,
  // A third of a second on a laptop, a second on a slow phone.
  captcha: { cost: 1_000, fewestTries: 300, mostTries: 700, lifetime: 600 },
  formPostsPerHour: 30,
  mail: null,
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

/** The environment of a forms service that runs alone. */
export const FormsEnvSchema = v.pipe(
  v.object({
    ...serverVariables,
    ...rateLimitVariables,
    ...mailVariables,
    PORT: portVariable(8082),
    /** Such as `https://api.example.com/gateway/.well-known/jwks.json`. */
    JWKS_URL: urlVariable(),
    /** Separated by commas. */
    APP_IDS: listVariable(),
    SITE_ORIGINS: originsVariable(['http://localhost:8080']),
    FORM_POSTS_PER_HOUR: numberVariable(formsDefaults.formPostsPerHour, 0, 1_000_000),
    /** At least four days less than the gateway's RETENTION_SECONDS. */
    IDENTITY_RETENTION_SECONDS: numberVariable(formsDefaults.identityRetention, DAY, 4_000 * DAY),
    ADMIN_TOKEN: adminTokenVariable,
    /** Where this service answers the internet. */
    PUBLIC_URL: v.optional(urlVariable()),
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
    rateLimit: { perAddress: env.RATE_LIMIT_PER_ADDRESS, perGuest: env.RATE_LIMIT_PER_GUEST },
    captcha: formsDefaults.captcha,
    formPostsPerHour: env.FORM_POSTS_PER_HOUR,
    mail: mailConfigOf(env, env.PUBLIC_URL),
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  };
}

/** How mail is sent, or null when the environment names no SMTP server. */
export function mailConfigOf(
  { SMTP_URL, MAIL_FROM }: { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined },
  publicUrl: string | undefined,
): MailConfig | null {
  if (SMTP_URL === undefined || MAIL_FROM === undefined || publicUrl === undefined) return null;
  return { smtpUrl: SMTP_URL, from: MAIL_FROM, publicUrl: publicUrl.replace(/\/?$/, '/') };
}
