import { isIP } from 'node:net';
import { isWebAddress, isWholeNumber, wholeNumberOf } from '@site/contract';
import * as v from 'valibot';

/** Environment variables that are missing or wrong. The message names each one and what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration of a process from its environment, once, at start. Unknown variables are ignored; an empty
 * text counts as missing.
 *
 * @throws ConfigError that names every variable that is missing or wrong, with the value and the rule.
 *
 * @example
 * const config = readConfig(v.object({ PORT: portVariable(8081) }), process.env);
 */
export function readConfig<Schema extends v.GenericSchema>(
  schema: Schema,
  env: Record<string, string | undefined>,
): v.InferOutput<Schema> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const lines = result.issues.map((issue) => {
    const name = nameOf(issue);
    const value = given[name];
    // A token that was mistyped is still most of a secret.
    const shown =
      value === undefined
        ? 'is missing'
        : /_(?:TOKEN|KEY)$/.test(name)
          ? 'is invalid'
          : `is ${JSON.stringify(isOfUrl(name, value) ? withoutPassword(value) : value)}`;
    return `${name} ${shown}: ${value === undefined ? 'set it before you start the process.' : issue.message}`;
  });
  throw new ConfigError(`The configuration is invalid.\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function nameOf(issue: v.BaseIssue<unknown>): string {
  const key = issue.path?.[0]?.key;
  return typeof key === 'string' ? key : 'The environment';
}

/** Other texts have an `@` behind a colon, too, and are shown as they are: `people:jobs@example.com`. */
const isOfUrl = (name: string, value: string) => name.endsWith('_URL') || value.includes('://');

/**
 * The URL with its password, if it has one, replaced: for messages and logs. A password that nobody encoded is often why
 * a URL is wrong: everything up to the last `@` is taken for it.
 */
export function withoutPassword(url: string): string {
  const [scheme = ''] = /^[^:]*:\/\//.exec(url) ?? [];
  return scheme + url.slice(scheme.length).replace(/^([^:@]*):[^]*@/, '$1:***@');
}

const wholeNumber = (min: number, max: number, what: string) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => isWholeNumber(text, min, max),
      `It must be ${what}, a whole number from ${min} to ${max}.`,
    ),
    v.transform(Number),
  );

/** A TCP port. 0 lets the system choose. */
export const portVariable = (fallback: number) =>
  v.optional(wholeNumber(0, 65_535, 'a port'), String(fallback));

/** A whole number, such as a duration in seconds. */
export const numberVariable = (fallback: number, min: number, max: number) =>
  v.optional(wholeNumber(min, max, 'a number'), String(fallback));

/** A number that may have decimals, such as an amount of gigabytes. */
export const decimalVariable = (fallback: number, min: number, max: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= min && Number(text) <= max,
        `It must be a number from ${min} to ${max}, such as ${min} or 2.5.`,
      ),
      v.transform(Number),
    ),
    String(fallback),
  );

/** A text with a default. */
export const textVariable = (fallback: string) => v.optional(v.string(), fallback);

/** `true` or `false`. */
export const switchVariable = (fallback: boolean) =>
  v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'It must be "true" or "false".'),
      v.transform((text) => text === 'true'),
    ),
    fallback ? 'true' : 'false',
  );

/** An http(s) URL. */
export const urlVariable = () =>
  v.pipe(
    v.string(),
    v.check(isWebAddress, 'It must be an http or https URL, such as "https://api.example.com/".'),
  );

/** Texts separated by commas; the default when missing. */
export const listVariable = (fallback: string[] = []) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ),
    fallback.join(','),
  );

/** Origins separated by commas, such as `https://example.com,https://www.example.com`. */
export const originsVariable = (fallback: string[] = []) =>
  v.pipe(
    listVariable(fallback),
    v.check(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'It must be origins without a path, separated by commas, such as "https://example.com".',
    ),
  );

/** `postgres://user:password@host:port/database`, or missing for the embedded database. */
export const databaseUrlVariable = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
        'It must be a PostgreSQL URL, such as "postgres://user:password@host:5432/site".',
      ),
    ),
  );

/** The most proxies that a request can have come through. */
const MOST_HOPS = 10;

/** How many proxies stand in front of a server (0: none), or their addresses and networks, separated by commas. */
export const proxiesVariable = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) =>
          isWholeNumber(text, 0, MOST_HOPS) || text.split(',').every((part) => isNetwork(part.trim())),
        `It must be the number of proxies in front (0 to ${MOST_HOPS}), or their addresses, such as "10.0.0.0/8,fd00::1". ` +
          'Trusting all would let every caller choose an address.',
      ),
      v.transform(
        (text): number | string[] =>
          wholeNumberOf(text, 0, MOST_HOPS) ?? text.split(',').map((part) => part.trim()),
      ),
    ),
    '0',
  );

/** An address, or a network such as `10.0.0.0/8` that is not everyone's. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** How much a server logs: one JSON line per event on standard output. */
export type LogLevel = (typeof logLevels)[number];

export const logLevelVariable = (fallback: LogLevel) =>
  v.optional(v.picklist(logLevels, `It must be one of ${logLevels.join(', ')}.`), fallback);

/** What every server process reads from its environment. */
export const serverVariables = {
  /** The address to listen on. */
  HOST: textVariable('localhost'),
  DATABASE_URL: databaseUrlVariable(),
  /** Where the embedded database and other local data are kept. */
  DATA_DIR: textVariable('.data'),
  LOG_LEVEL: logLevelVariable('info'),
  /** How many proxies stand in front, or which: their entries in `X-Forwarded-For` say who is calling. */
  TRUST_PROXY: proxiesVariable(),
};

/** What `s3://bucket` or `s3://bucket/prefix` names; null for anything else. */
export function bucketOf(location: string): { bucket: string; prefix: string } | null {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(location) ?? [];
  return bucket === undefined || prefix.split('/').includes('..') ? null : { bucket, prefix };
}

/** Where published files are kept; `openStore` of @site/artifacts takes it. Credentials: what the AWS SDK finds. */
export const artifactVariables = {
  /** A folder, `s3://bucket` or `s3://bucket/prefix`. Default: `<DATA_DIR>/artifacts`. */
  ARTIFACTS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => !text.includes('://') || bucketOf(text) !== null,
        'It must be a folder, "s3://bucket" or "s3://bucket/prefix".',
      ),
    ),
  ),
  /** The URL of a server that speaks S3 and is not AWS. */
  S3_ENDPOINT: v.optional(urlVariable()),
  /** The region of the bucket. Default: what the AWS SDK finds; with S3_ENDPOINT `us-east-1`. */
  AWS_REGION: v.optional(v.string()),
};
