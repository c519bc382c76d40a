import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fillDataFolder } from '@site/server/testing/memory-database';
import { runService, type ServiceProcess } from '@site/server/testing/run-service';

export interface ServicePair {
  gateway: ServiceProcess;
  forms: ServiceProcess;
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** No limits, because all tests have one address. */
const unlimited = {
  RATE_LIMIT_PER_ADDRESS: '0',
  RATE_LIMIT_PER_GUEST: '0',
  FORM_POSTS_PER_HOUR: '0',
  REFERRALS_PER_DAY: '0',
  CAPTCHAS_PER_HOUR: '0',
};

/**
 * @param serviceEnv the data location of each
 * @param jwksUrl the gateway whose tokens the forms service accepts; default: the pair's
 */
export async function startPair(
  serviceEnv: (service: 'gateway' | 'forms') => Record<string, string>,
  jwksUrl?: string,
): Promise<ServicePair> {
  const gateway = await startGateway(serviceEnv('gateway'));
  const forms = await startForms(serviceEnv('forms'), jwksUrl ?? gatewayJwksUrl(gateway));
  return {
    gateway,
    forms,
    end: async (signal = 'SIGTERM') => {
      await Promise.all([gateway.end(signal), forms.end(signal)]);
    },
  };
}

export const startGateway = (env: Record<string, string>) => start('services/gateway/src/main.ts', env);

export const startForms = (env: Record<string, string>, jwksUrl: string) =>
  start('services/forms/src/main.ts', { JWKS_URL: jwksUrl, ...env });

/** The URL of a gateway's public keys. */
export const gatewayJwksUrl = (gateway: ServiceProcess) => `${gateway.url}/.well-known/jwks.json`;

async function start(script: string, env: Record<string, string>): Promise<ServiceProcess> {
  const folder = env['DATA_DIR'];
  if (folder !== undefined && !existsSync(folder)) await fillDataFolder(join(folder, 'database'));
  return runService(script, { ...unlimited, ...env });
}
