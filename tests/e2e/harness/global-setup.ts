import { startPostgres } from '@site/server/testing/start-postgres';
import { startSite } from './site.ts';

/** What the browser tests share: one site on a real PostgreSQL, so that they can read the stored rows. */
export interface SharedSite {
  url: string;
  gateway: string;
  forms: string;
  registry: string;
  databaseUrl: string;
  dataDir: string;
}

/** Starts it once before all browser tests; `global-teardown` stops it. */
export default async function globalSetup(): Promise<void> {
  const postgres = await startPostgres();
  const site = await startSite({ env: { DATABASE_URL: postgres.url } });
  const { url, gateway, forms, registry, dataDir } = site;
  const shared: SharedSite = { url, gateway, forms, registry, dataDir, databaseUrl: postgres.url };
  process.env['SHARED_SITE'] = JSON.stringify(shared);
  Object.assign(globalThis, {
    async stopSharedSite() {
      await site.stop();
      await postgres.stop();
    },
  });
}
