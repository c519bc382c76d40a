import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { formVariables, readLimits, readMailConfig, limitVariables, mailVariables } from '@site/forms/config';
import type { MailConfig } from '@site/forms/outbox/transport';
import {
  artifactVariables,
  databaseUrlVariable,
  listVariable,
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
    PORT: v.pipe(
      portVariable(8080, 5),
      v.maxValue(65_531, 'It must leave room for the four ports after it.'),
    ),
    DATA_DIR: textVariable('.data'),
    DATABASE_URL: databaseUrlVariable(),
    ...artifactVariables,
    /** Warnings only, because people read the output of `npm start`. */
    LOG_LEVEL: logLevelVariable('warn'),
    SITE_MODE: v.optional(
      v.picklist(['production', 'staging'], 'It must be production or staging.'),
      'staging',
    ),
    SITE_BRAND: v.optional(v.string()),
    /** Further host names of this machine, for example of a tunnel. */
    ALLOWED_HOSTS: listVariable(),
    ...mailVariables,
    ...limitVariables,
    ...formVariables,
  }),
  v.forward(
    v.check(
      ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined,
      'SMTP_URL requires it: the sender of invitations, such as "Blocks <hello@example.com>".',
    ),
    ['MAIL_FROM'],
  ),
);

export interface LocalConfig {
  host: string;
  ports: { site: number; gateway: number; forms: number; registry: number; ops: number };
  dataDir: string;
  databaseUrl: string | undefined;
  artifacts: { location: string; endpoint: string | undefined; region: string | undefined };
  mode: 'production' | 'staging';
  brandFile: string | undefined;
  /** Besides localhost. */
  onlyHosts: string[];
  /** Null: none is configured. */
  mail: MailConfig | null;
  formDays: number;
  /** Team → email address. */
  recipients: Readonly<Record<string, string>>;
  https: boolean;
  logLevel: LogLevel;
  limits: ReturnType<typeof readLimits>;
}

/** @throws ConfigError */
export function readLocalConfig(env: NodeJS.ProcessEnv, args: string[] = []): LocalConfig {
  const config = readConfig(EnvSchema, env);
  const { PORT, DATA_DIR, DATABASE_URL, SITE_MODE, SITE_BRAND } = config;
  const { ARTIFACTS = join(DATA_DIR, 'artifacts'), S3_ENDPOINT, AWS_REGION } = config;
  return {
    host: 'localhost',
    ports: { site: PORT, gateway: PORT + 1, forms: PORT + 2, registry: PORT + 3, ops: PORT + 4 },
    // Relative to the repository, because npm scripts of workspaces run in their own folders.
    dataDir: resolve(root, DATA_DIR),
    databaseUrl: DATABASE_URL,
    artifacts: {
      location: ARTIFACTS.includes('://') ? ARTIFACTS : resolve(root, ARTIFACTS),
      endpoint: S3_ENDPOINT,
      region: AWS_REGION,
    },
    mode: SITE_MODE,
    onlyHosts: config.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    brandFile: SITE_BRAND ? resolve(root, SITE_BRAND) : undefined,
    mail: readMailConfig(config),
    formDays: config.FORM_DAYS,
    recipients: config.FORM_RECIPIENTS,
    https: readArguments(args).https,
    logLevel: config.LOG_LEVEL,
    limits: readLimits(config),
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

/** Public: every browser sends them. */
export const appIds = { gateway: 'site-gateway', forms: 'site-forms' } as const;
