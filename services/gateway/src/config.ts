import { adminTokenVariable } from '@site/server/admin-access';
import {
  listVariable,
  numberVariable,
  originsVariable,
  portVariable,
  serverVariables,
  type LogLevel,
} from '@site/server/config';
import { DAY_SECONDS } from '@site/server/durations';
import { rateLimitDefaults, rateLimitVariables, type RateLimit } from '@site/server/rate-limit';
import * as v from 'valibot';

/** Durations are in seconds. */
export interface GatewayConfig {
  appIds: string[];
  origins: string[];
  tokenLifetime: number;
  renewalGrace: number;
  /** Tokens from before this time, in seconds, are invalid. */
  tokensSince: number;
  keyRotation: number;
  retention: number;
  adminToken: string | null;
  rateLimit: RateLimit;
  logLevel: LogLevel;
  trustProxy: number | string[];
}

export const gatewayDefaults: GatewayConfig = {
  appIds: [],
  origins: [],
  tokenLifetime: DAY_SECONDS,
  renewalGrace: 90 * DAY_SECONDS,
  tokensSince: 0,
  keyRotation: 90 * DAY_SECONDS,
  retention: 396 * DAY_SECONDS,
  adminToken: null,
  rateLimit: rateLimitDefaults,
  logLevel: 'silent',
  trustProxy: 0,
};

export const GatewayEnvSchema = v.object({
  ...serverVariables,
  ...rateLimitVariables,
  PORT: portVariable(8081),
  APP_IDS: listVariable(),
  SITE_ORIGINS: originsVariable(['http://localhost:8080']),
  TOKEN_LIFETIME_SECONDS: numberVariable(gatewayDefaults.tokenLifetime, 1, 30 * DAY_SECONDS),
  RENEWAL_GRACE_SECONDS: numberVariable(gatewayDefaults.renewalGrace, 0, 400 * DAY_SECONDS),
  TOKENS_SINCE: v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp('Use a time such as 2026-11-28T10:00:00Z.'),
      v.transform((text) => Math.ceil(Date.parse(text) / 1_000)),
    ),
  ),
  KEY_ROTATION_SECONDS: numberVariable(gatewayDefaults.keyRotation, 60 * 60, 400 * DAY_SECONDS),
  RETENTION_SECONDS: numberVariable(gatewayDefaults.retention, DAY_SECONDS, 4_000 * DAY_SECONDS),
  ADMIN_TOKEN: adminTokenVariable,
});

export function readGatewayConfig(env: v.InferOutput<typeof GatewayEnvSchema>): GatewayConfig {
  return {
    appIds: env.APP_IDS,
    origins: env.SITE_ORIGINS,
    tokenLifetime: env.TOKEN_LIFETIME_SECONDS,
    renewalGrace: env.RENEWAL_GRACE_SECONDS,
    tokensSince: env.TOKENS_SINCE ?? gatewayDefaults.tokensSince,
    keyRotation: env.KEY_ROTATION_SECONDS,
    retention: env.RETENTION_SECONDS,
    adminToken: env.ADMIN_TOKEN ?? null,
    rateLimit: { perAddress: env.RATE_LIMIT_PER_ADDRESS, perGuest: env.RATE_LIMIT_PER_GUEST },
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  };
}
