import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskStore } from '@site/artifacts/disk-store';
import { createComposer } from '@site/composer/create-composer';
import { createEdge } from '@site/edge/create-edge';
import { startRegistry } from '@site/registry/start-registry';
import { runProcess } from '@site/server/run-process';
import { assertFreePorts } from './free-ports.ts';
import { buildStale } from './build-stale.ts';
import { readLocalConfig } from './config.ts';
import { localTokens } from './local-tokens.ts';
import { appFolders } from './paths.ts';
import { releaseSources } from './release-sources.ts';
import { siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** `npm start`: the whole site on this machine, in one process, from the sources of this checkout. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const { ports, host, dataDir } = config;
  await assertFreePorts(host, ports);
  await buildStale(appFolders(), say);

  const stack = createStack();
  // The process that started this one is gone, perhaps by kill -9: do not stay behind alone.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await mkdir(dataDir, { recursive: true });
    const tokens = await localTokens(dataDir);
    const site = siteConfig(config);
    const database = await startServices(config, site, stack);
    const store = createDiskStore(join(dataDir, 'artifacts'));
    const registry = stack.use(
      await startRegistry({
        port: ports.registry,
        host,
        database,
        store,
        composer: createComposer(),
        bootstrapTokens: [
          { name: 'local ops', token: tokens.ops, scopes: ['ops'] },
          { name: 'local edge', token: tokens.read, scopes: ['read'] },
        ],
      }),
    );
    await releaseSources({
      registryUrl: registry.url,
      token: tokens.ops,
      apps: appFolders(),
      config: site,
      log: say,
    });

    const edge = createEdge({
      registryUrl: registry.url,
      token: tokens.read,
      store,
      channel: 'production',
      cacheDir: join(dataDir, 'edge'),
      id: 'local',
    });
    stack.use(await edge.start({ port: ports.site, host }));
    await untilServing(site.origin);

    const running = join(dataDir, 'running.json');
    await writeFile(running, JSON.stringify({ pid: process.pid, site: site.origin, registry: registry.url }));
    stack.use({ close: () => rm(running, { force: true }) });

    say(`site      ${site.origin}`);
    say(`gateway   ${site.gateway.base}`);
    say(`forms     ${site.forms.base}`);
    say(`registry  ${registry.url}`);
    say(`ready: ${site.origin}`);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
});

/** The edge listens at once and loads the release then: ready is when a page comes. */
async function untilServing(origin: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/readyz`);
    await response.arrayBuffer();
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
