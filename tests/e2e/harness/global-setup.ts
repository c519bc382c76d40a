import startDelivery from '../../delivery/harness/global-setup.ts';
import { keepCompressed, startSite } from './site.ts';

/** The browser tests share one site on a real PostgreSQL, so that they can read the stored rows. */
export interface SharedSite {
  url: string;
  gateway: string;
  forms: string;
  registry: string;
  ops: string;
  databaseUrl: string;
  dataDir: string;
}

/** Starts the site before all browser tests; `global-teardown` stops it. */
export default async function globalSetup(): Promise<void> {
  await startDelivery();
  const site = await startSite();
  await keepCompressed(site);
  const { url, gateway, forms, registry, ops, dataDir, databaseUrl = '' } = site;
  const shared: SharedSite = { url, gateway, forms, registry, ops, dataDir, databaseUrl };
  process.env['SHARED_SITE'] = JSON.stringify(shared);
  Object.assign(globalThis, {
    async stopSharedSite() {
      await site.stop();
    },
  });
}
