import { existsSync } from 'node:fs';
import { fillDataFolder } from '@site/server/testing/memory-database';
import { runService, type ServiceProcess } from '@site/server/testing/run-service';

/** A gateway and a forms service, each a process of its own. */
export interface ServicePair {
  gateway: ServiceProcess;
  forms: ServiceProcess;
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** No limits, since all tests come from one address. */
const unlimited = {
  RATE_LIMIT_PER_ADDRESS: '0',
  RATE_LIMIT_PER_GUEST: '0',
  FORM_POSTS_PER_HOUR: '0',
  REFERRALS_PER_DAY: '0',
  CAPTCHAS_PER_HOUR: '0',
};

/**
 * @param envOf where each keeps its data
 * @param jwksUrl the gateway whose tokens the forms service takes; default: that of the pair
 */
export async function startPair(
  envOf: (service: 'gateway' | 'forms') => Record<string, string>,
  jwksUrl?: string,
): Promise<ServicePair> {
  for (const name of ['gateway', 'forms'] as const) {
    const folder = envOf(name)['DATA_DIR'];
    if (folder !== undefined && !existsSync(folder)) await fillDataFolder(folder);
  }
  const gateway = await runService('services/gateway/src/main.ts', { ...unlimited, ...envOf('gateway') });
  const forms = await runService('services/forms/src/main.ts', {
    ...unlimited,
    JWKS_URL: jwksUrl ?? `${gateway.url}/.well-known/jwks.json`,
    ...envOf('forms'),
  });
  return {
    gateway,
    forms,
    end: async (signal = 'SIGTERM') => {
      await Promise.all([gateway.end(signal), forms.end(signal)]);
    },
  };
}
