import { join } from 'node:path';
import { loadApp } from '@site/build/app';
import { devDocument, devRemote, devRoutes } from '@site/build/dev-document';
import { startDevServer } from '@site/build/dev-server';
import type { BootData } from '@site/contract';
import { runProcess } from '@site/server/run-process';
import { readLocalConfig } from './config.ts';
import { announce, createDataDir } from './data-dir.ts';
import { assertFreePorts } from './free-ports.ts';
import { localTokens } from './local-tokens.ts';
import { appFolders, root } from './paths.ts';
import { siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** `npm run dev`: shell and remotes from source with reload on change, the services running, nothing published. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const { host, dataDir } = config;
  const { site: port, gateway, forms, registry } = config.ports;
  await assertFreePorts(host, { site: port, gateway, forms });
  await createDataDir(dataDir);
  const site = siteConfig(config);
  const stack = createStack();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    const tokens = await localTokens(dataDir);
    await startServices(config, site, stack, tokens.admin);
    const apps = await Promise.all(appFolders().map((folder) => loadApp(join(root, folder))));
    const remotes = apps.filter((app) => app.remote);
    const data: BootData = {
      release: 'dev',
      shellScripts: [],
      channel: 'production',
      config: site,
      remotes: remotes.map(devRemote),
      routes: remotes.flatMap(devRoutes),
      redirects: remotes.flatMap((app) => app.remote?.redirects ?? []),
      variants: {},
      rendered: null,
    };
    const server = stack.use(
      await startDevServer({
        apps,
        port,
        document: (_path, clientUrl) => Promise.resolve(devDocument(data, clientUrl)),
      }),
    );
    // For `npx site visitor`. Nothing answers where the registry would be, and what needs it says so.
    const urls = { site: site.origin, gateway: site.gateway.base, forms: site.forms.base };
    stack.use(await announce(dataDir, { ...urls, registry: `http://${host}:${registry}` }));
    process.stdout.write(`everything from source\nready: ${server.url}\n`);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
});
