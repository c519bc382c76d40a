import { join } from 'node:path';
import { devRoutes } from '@site/build/dev-document';
import { startDevServer } from '@site/build/dev-server';
import { devRemote } from '@site/contract/remote-container';
import { runProcess } from '@site/server/run-process';
import { readLocalConfig } from './config.ts';
import { expectedErrors } from './expected-errors.ts';
import { announce, createDataDir } from './data-dir.ts';
import { followSources } from './follow-sources.ts';
import { assertFreePorts } from './free-ports.ts';
import { localTokens } from './local-tokens.ts';
import { appFolders, root } from './paths.ts';
import { siteConfig } from './services.ts';
import { createStack } from './stack.ts';

const serviceSources = [
  'services/gateway/src',
  'services/forms/src',
  'shared/server/src',
  'shared/contract/src',
];

/** `npm run dev`: shell and remotes from source with hot reload, and the services; nothing is published. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const { host, dataDir } = config;
  const { site: port, gateway, forms, registry } = config.ports;
  await assertFreePorts(host, { site: port, gateway, forms });
  await createDataDir(dataDir);
  const site = siteConfig(config);
  const stack = createStack();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  const log = (line: string) => process.stdout.write(`${line}\n`);
  try {
    // The services' process reads them from the data folder.
    await localTokens(dataDir);
    const [services, server] = await Promise.allSettled([
      followSources({
        what: 'gateway and forms',
        module: join(import.meta.dirname, 'dev-services.ts'),
        folders: serviceSources.map((folder) => join(root, folder)),
        log,
      }),
      startDevServer({
        folders: appFolders().map((folder) => join(root, folder)),
        port,
        boot(_path, apps) {
          const remotes = apps.filter((app) => app.remote);
          return Promise.resolve({
            frame: 'dev',
            shell: 'dev',
            dev: { release: 'dev' },
            shellScripts: [],
            channel: 'production',
            config: site,
            remotes: remotes.map(({ name }) => devRemote(name)),
            routes: remotes.flatMap(devRoutes),
            redirects: remotes.flatMap((app) => app.remote?.redirects ?? []),
            variants: {},
            rendered: null,
          });
        },
        log,
      }),
    ]);
    for (const started of [services, server]) if (started.status === 'fulfilled') stack.use(started.value);
    for (const started of [services, server]) if (started.status === 'rejected') throw started.reason;
    // For `npx @site/cli visitor`. There is no registry: commands that need one report that.
    const urls = { site: site.origin, gateway: site.gateway.base, forms: site.forms.base };
    stack.use(await announce(dataDir, { ...urls, registry: `http://${host}:${registry}` }));
    log(`everything from source\nready: ${site.origin}`);
    return stack;
  } catch (error) {
    await stack.abandon();
    throw error;
  }
}, expectedErrors);
