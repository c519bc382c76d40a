import { readConfig } from '@site/server/config';
import { GatewayEnvSchema, readGatewayConfig } from './config.ts';

const DAY_SECONDS = 86_400;
const read = (env: Record<string, string>) => readGatewayConfig(readConfig(GatewayEnvSchema, env));

test('an empty environment gives the defaults', () => {
  expect(read({})).toMatchObject({
    appIds: [],
    origins: ['http://localhost:8080'],
    tokenLifetime: DAY_SECONDS,
    renewalGrace: 90 * DAY_SECONDS,
    keyRotation: 90 * DAY_SECONDS,
    retention: 396 * DAY_SECONDS,
    adminToken: null,
    trustProxy: 0,
  });
});

test('each variable reaches its setting', () => {
  const adminToken = `site_${'a'.repeat(43)}`;
  expect(
    read({
      APP_IDS: 'one, two',
      TOKENS_SINCE: '2026-01-01T00:00:00Z',
      SITE_ORIGINS: 'https://example.com',
      ADMIN_TOKEN: adminToken,
      RATE_LIMIT_PER_ADDRESS: '7',
      RATE_LIMIT_PER_GUEST: '8',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
    }),
  ).toMatchObject({
    appIds: ['one', 'two'],
    tokensSince: 1_767_225_600,
    origins: ['https://example.com'],
    adminToken,
    rateLimit: { perAddress: 7, perGuest: 8 },
    trustProxy: 1,
    logLevel: 'warn',
  });
});

test.each([
  ['TOKEN_LIFETIME_SECONDS', 'tokenLifetime', 1, 30 * DAY_SECONDS],
  ['RENEWAL_GRACE_SECONDS', 'renewalGrace', 0, 400 * DAY_SECONDS],
  ['KEY_ROTATION_SECONDS', 'keyRotation', 3_600, 400 * DAY_SECONDS],
  ['RETENTION_SECONDS', 'retention', DAY_SECONDS, 4_000 * DAY_SECONDS],
] as const)('%s may be anything from its least to its most', (variable, setting, least, most) => {
  for (const value of [least, most]) expect(read({ [variable]: String(value) })[setting]).toBe(value);
  for (const value of [least - 1, most + 1])
    expect(() => read({ [variable]: String(value) })).toThrow(`from ${least} to ${most}`);
});
