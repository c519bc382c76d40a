import {
  listVariable,
  originsVariable,
  portVariable,
  serverVariables,
  urlVariable,
} from '@site/server/config';
import type { LogLevel } from '@site/server/create-server';
import { rateLimitDefaults, rateLimitVariables } from '@site/server/rate-limit';
import type { RateLimit } from '@site/server/rate-limit';
import * as v from 'valibot';

/** How the forms service behaves. */
export interface FormsConfig {
  /** Where the gateway publishes the keys of its tokens. */
  jwksUrl: string;
  /** The values of the `appid` header that may call; an empty list lets everyone in. */
  appIds: string[];
  /** The origins of the sites whose pages may call. */
  origins: string[];
  rateLimit: RateLimit;
  logLevel: LogLevel;
  trustProxy: boolean;
}

export const formsDefaults: Omit<FormsConfig, 'jwksUrl'> = {
  appIds: [],
  origins: [],
  rateLimit: rateLimitDefaults,
  logLevel: 'silent',
  trustProxy: false,
};

/** The environment of a forms service that runs alone. */
export const FormsEnvSchema = v.object({
  ...serverVariables,
  ...rateLimitVariables,
  PORT: portVariable(8082),
  /** Such as `https://api.example.com/gateway/.well-known/jwks.json`. */
  JWKS_URL: urlVariable(),
  /** Separated by commas. */
  APP_IDS: listVariable(),
  SITE_ORIGINS: originsVariable(['http://localhost:8080']),
});

/** The configuration that an environment stands for. */
export function formsConfigOf(env: v.InferOutput<typeof FormsEnvSchema>): FormsConfig {
  return {
    jwksUrl: env.JWKS_URL,
    appIds: env.APP_IDS,
    origins: env.SITE_ORIGINS,
    rateLimit: { perAddress: env.RATE_LIMIT_PER_ADDRESS, perGuest: env.RATE_LIMIT_PER_GUEST },
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  };
}
