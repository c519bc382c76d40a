import { join } from 'node:path';
import { readBrandFile } from '@site/cli/read-site-config';
import type { Brand, SiteConfig } from '@site/contract';
import type { Certificate } from '@site/edge/server/listen';
import type { FetchLiveSite } from '@site/forms/submissions/declared-forms';
import { startForms } from '@site/forms/start';
import { startGateway } from '@site/gateway/start';
import { openDatabase, type Database } from '@site/server/open-database';
import { appIds, type LocalConfig } from './config.ts';
import { startTlsTerminator } from './local-certificate.ts';
import type { LocalTokens } from './local-tokens.ts';
import { root } from './paths.ts';
import type { Stack } from './stack.ts';

const defaultBrandFile = join(root, 'brand.json');

export const defaultBrand = (): Brand => readBrandFile(defaultBrandFile);

export function siteConfig({ ports, https, mode, brandFile = defaultBrandFile }: LocalConfig): SiteConfig {
  const scheme = https ? 'https' : 'http';
  return {
    // The URL class omits port 80.
    origin: new URL(`${scheme}://localhost:${ports.site}`).origin,
    mode,
    gateway: { base: `${scheme}://localhost:${ports.gateway}/`, appId: appIds.gateway },
    forms: { base: `${scheme}://localhost:${ports.forms}/`, appId: appIds.forms },
    brand: readBrandFile(brandFile),
  };
}

export type LiveSiteSource = { token: string } | { ask: FetchLiveSite };

export async function openSiteDatabase(
  stack: Stack,
  { databaseUrl, dataDir }: LocalConfig,
): Promise<Database> {
  return stack.use(await openDatabase({ url: databaseUrl, dataDir: join(dataDir, 'database') }));
}

export interface ServicesOptions {
  config: LocalConfig;
  database: Database;
  site: SiteConfig;
  tokens: Pick<LocalTokens, 'admin' | 'inbox'>;
  live: LiveSiteSource;
  certificate?: Certificate | undefined;
}

/** Closed with `stack`. */
export async function startServices(
  stack: Stack,
  { config, database, site, tokens, live, certificate }: ServicesOptions,
): Promise<void> {
  const { admin: adminToken, inbox: inboxToken } = tokens;
  const { ports, host, logLevel, onlyHosts } = config;
  const origins = [site.origin];
  const inner = (port: number) => (certificate ? 0 : port);
  const terminateTls = async (port: number, target: string) => {
    if (certificate) stack.use(await startTlsTerminator(certificate, { port, host, target }));
  };
  const gateway = stack.use(
    await startGateway({
      port: inner(ports.gateway),
      host,
      onlyHosts,
      database,
      config: { appIds: [appIds.gateway], origins, adminToken, logLevel },
    }),
  );
  await terminateTls(ports.gateway, gateway.url);
  const forms = stack.use(
    await startForms({
      port: inner(ports.forms),
      host,
      onlyHosts,
      database,
      config: {
        jwksUrl: new URL('.well-known/jwks.json', gateway.url).href,
        // The site sends the app id stored with its token, the gateway's, to both services.
        appIds: [appIds.forms, appIds.gateway],
        origins,
        adminToken,
        inboxToken,
        logLevel,
        ...config.limits,
        publicUrl: site.forms.base,
        mail: config.mail,
        recipients: config.recipients,
        registry:
          'token' in live
            ? {
                url: `http://${host}:${ports.registry}/`,
                token: live.token,
                channel: 'production',
                days: config.formDays,
              }
            : null,
      },
      ...('ask' in live ? { fetchLiveSite: live.ask } : {}),
    }),
  );
  await terminateTls(ports.forms, forms.url);
}
