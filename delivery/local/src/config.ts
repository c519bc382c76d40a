import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { formVariables, limitsOf, limitVariables, mailVariables } from '@site/forms/config';
import {
  artifactVariables,
  databaseUrlVariable,
  logLevelVariable,
  portVariable,
  ConfigError,
  readConfig,
  textVariable,
  type LogLevel,
} from '@site/server/config';
import { root } from './paths.ts';

const EnvSchema = v.pipe(
  v.object({
    PORT: v.pipe(portVariable(8080), v.maxValue(65_531, 'It must leave room for the four ports after it.')),
    DATA_DIR: textVariable('.data'),
    DATABASE_URL: databaseUrlVariable(),
    ...artifactVariables,
    /** What is wrong, and no more: beside it people read what `npm start` says. */
    LOG_LEVEL: logLevelVariable('warn'),
    SITE_MODE: v.optional(
      v.picklist(['production', 'staging'], 'It must be production or staging.'),
      'staging',
    ),
    SITE_BRAND: v.optional(v.string()),
    ...mailVariables,
    ...limitVariables,
    ...formVariables,
  }),
  v.forward(
    v.check(
      ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined,
      'SMTP_URL needs it: the sender of invitations, such as "Blocks <hello@example.com>".',
    ),
    ['MAIL_FROM'],
  ),
);

/** Where the whole site runs on this machine: five ports in a row and one folder. */
export interface LocalConfig {
  host: string;
  ports: { site: number; gateway: number; forms: number; registry: number; ops: number };
  dataDir: string;
  databaseUrl: string | undefined;
  /** Where published files are kept: a folder, or a bucket and how to reach it. */
  artifacts: { location: string; endpoint: string | undefined; region: string | undefined };
  mode: 'production' | 'staging';
  /** The file that says who the site speaks for, when somebody chose one. */
  brandFile: string | undefined;
  /** Where invitations are sent through; without it they wait in the outbox. */
  mail: { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined };
  /** How long forms of versions that are not live any more are taken, in days. */
  formDays: number;
  /** Team → where it is told of what came through its forms. */
  recipients: Readonly<Record<string, string>>;
  /** Whether site, gateway and forms are served over TLS with a certificate made for this machine: `--https`. */
  https: boolean;
  /** How much gateway, forms and registry log. */
  logLevel: LogLevel;
  /** What limits mails and forms. */
  limits: ReturnType<typeof limitsOf>;
}

/** @throws ConfigError that names the variable or argument and what it must be. */
export function readLocalConfig(env: NodeJS.ProcessEnv, args: string[] = []): LocalConfig {
  const config = readConfig(EnvSchema, env);
  const { PORT, DATA_DIR, DATABASE_URL, SITE_MODE, SITE_BRAND, SMTP_URL, MAIL_FROM } = config;
  const { ARTIFACTS = join(DATA_DIR, 'artifacts'), S3_ENDPOINT, AWS_REGION } = config;
  return {
    host: 'localhost',
    ports: { site: PORT, gateway: PORT + 1, forms: PORT + 2, registry: PORT + 3, ops: PORT + 4 },
    // Not relative to the caller's folder: npm scripts of workspaces run in their own.
    dataDir: resolve(root, DATA_DIR),
    databaseUrl: DATABASE_URL,
    artifacts: {
      location: ARTIFACTS.includes('://') ? ARTIFACTS : resolve(root, ARTIFACTS),
      endpoint: S3_ENDPOINT,
      region: AWS_REGION,
    },
    mode: SITE_MODE,
    brandFile: SITE_BRAND ? resolve(root, SITE_BRAND) : undefined,
    mail: { SMTP_URL, MAIL_FROM },
    formDays: config.FORM_DAYS,
    recipients: config.FORM_RECIPIENTS,
    https: readArguments(args).https,
    logLevel: config.LOG_LEVEL,
    limits: limitsOf(config),
  };
}

function readArguments(args: string[]): { https: boolean } {
  try {
    return parseArgs({ args, options: { https: { type: 'boolean', default: false } } }).values;
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message} The only option is --https: npm start -- --https`, {
      cause,
    });
  }
}

/** The identifiers under which the site calls its services. Not secret: every browser sends them. */
export const appIds = { gateway: 'site-gateway', forms: 'site-forms' } as const;
