import { join } from 'node:path';
import { loadApp } from '@site/build/app';
import { devDocument, devRemote, devRoutes } from '@site/build/dev-document';
import { startDevServer } from '@site/build/dev-server';
import type { BootData } from '@site/contract';
import { runProcess } from '@site/server/run-process';
import { readLocalConfig } from './config.ts';
import { assertFreePorts } from './free-ports.ts';
import { appFolders, root } from './paths.ts';
import { siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** `npm run dev`: shell and remotes from source with reload on change, the services running, nothing published. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const { site: port, gateway, forms } = config.ports;
  await assertFreePorts(config.host, { site: port, gateway, forms });
  const site = siteConfig(config);
  const stack = createStack();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await startServices(config, site, stack, null);
    const apps = await Promise.all(appFolders().map((folder) => loadApp(join(root, folder))));
    const remotes = apps.filter((app) => app.remote);
    const data: BootData = {
      release: 'dev',
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
    process.stdout.write(`everything from source\nready: ${server.url}\n`);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
});
