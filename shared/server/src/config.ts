import { isIP } from 'node:net';
import { blockedPortProblem } from '@site/contract/ports';
import { isWebAddress, isWholeNumber, readWholeNumber } from '@site/contract';
import * as v from 'valibot';
import { serverUrls } from './postgres-servers.ts';
import { KEEP_ALIVE_SECONDS } from './start-server.ts';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration of a process from its environment at startup. Unknown variables are ignored; an
 * empty value counts as missing.
 * @throws ConfigError that names every missing or invalid variable with its value and rule.
 * @example const config = readConfig(v.object({ PORT: portVariable(8081) }), process.env);
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
    const name = variableName(issue);
    const value = given[name];
    // A mistyped token still reveals most of the secret.
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

function variableName(issue: v.BaseIssue<unknown>): string {
  const key = issue.path?.[0]?.key;
  return typeof key === 'string' ? key : 'The environment';
}

/** Other values may have an `@` after a colon and are shown unchanged: `people:jobs@example.com`. */
const isOfUrl = (name: string, value: string) => name.endsWith('_URL') || value.includes('://');

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

export const portVariable = (fallback: number, count: number = 1) =>
  v.optional(
    v.pipe(
      wholeNumber(0, 65_535, 'a port'),
      v.check(
        (port) => port === 0 || blockedPortProblem(port, count) === null,
        ({ input }) => blockedPortProblem(input, count) ?? '',
      ),
    ),
    String(fallback),
  );

export const numberVariable = (fallback: number, min: number, max: number) =>
  v.optional(wholeNumber(min, max, 'a number'), String(fallback));

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

/** A comma-separated list. */
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

export const originsVariable = (fallback: string[] = []) =>
  v.pipe(
    listVariable(fallback),
    v.check(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'It must be origins without a path, separated by commas, such as "https://example.com".',
    ),
  );

export const databaseUrlVariable = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => serverUrls(text).every(isPostgresUrl),
        'It must be a PostgreSQL URL, such as "postgres://user:password@host:5432/site", or ' +
          '"postgres://user:password@host1:5432,host2:5432/site?target_session_attrs=read-write".',
      ),
    ),
  );

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  const session = url?.searchParams.get('target_session_attrs') ?? 'read-write';
  return /^postgres(ql)?:$/.test(url?.protocol ?? '') && session === 'read-write';
}

const MOST_HOPS = 10;

export const proxiesVariable = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) =>
          isWholeNumber(text, 0, MOST_HOPS) || text.split(',').every((part) => isNetwork(part.trim())),
        `It must be the number of proxies in front of the server (0 to ${MOST_HOPS}), or their ` +
          'addresses, such as "10.0.0.0/8,fd00::1". ' +
          'Trusting all networks would let every client choose its address.',
      ),
      v.transform(
        (text): number | string[] =>
          readWholeNumber(text, 0, MOST_HOPS) ?? text.split(',').map((part) => part.trim()),
      ),
    ),
    '0',
  );

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** Logs are one JSON line per event on standard output. */
export type LogLevel = (typeof logLevels)[number];

export const logLevelVariable = (fallback: LogLevel) =>
  v.optional(v.picklist(logLevels, `It must be one of ${logLevels.join(', ')}.`), fallback);

export const serverVariables = {
  HOST: textVariable('localhost'),
  DATABASE_URL: databaseUrlVariable(),
  DATA_DIR: textVariable('.data'),
  LOG_LEVEL: logLevelVariable('info'),
  /** Longer than the idle timeout of the load balancer in front. */
  KEEP_ALIVE_SECONDS: numberVariable(KEEP_ALIVE_SECONDS, 1, 3_600),
  /** How long a process serves after SIGTERM while it reports "not ready". */
  DRAIN_SECONDS: numberVariable(5, 0, 300),
  TRUST_PROXY: proxiesVariable(),
  /** Base of an OTLP/HTTP receiver for traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(urlVariable()),
  /** The share of traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: decimalVariable(1, 0, 1),
};

/** For `startTracing`. */
export const tracingSettings = (env: {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}): { endpoint: string | undefined; ratio: number } => ({
  endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
  ratio: env.OTEL_TRACES_SAMPLER_ARG,
});

export function parseBucket(location: string): { bucket: string; prefix: string } | null {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(location) ?? [];
  return bucket === undefined || prefix.split('/').includes('..') ? null : { bucket, prefix };
}

export const artifactVariables = {
  ARTIFACTS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => !text.includes('://') || parseBucket(text) !== null,
        'It must be a folder, "s3://bucket" or "s3://bucket/prefix".',
      ),
    ),
  ),
  S3_ENDPOINT: v.optional(urlVariable()),
  AWS_REGION: v.optional(v.string()),
};
