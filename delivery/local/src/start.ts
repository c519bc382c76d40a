import { join } from 'node:path';
import type { Brand } from '@site/contract';
import { openStore } from '@site/artifacts/open-store';
import { startComposer } from '@site/composer/start-composer';
import { createRegistryClient } from '@site/cli/registry-client';
import { createEdge, type Edge } from '@site/edge/create-edge';
import { createAuditKey, keptAuditSecret } from '@site/registry/upkeep/index';
import { startRegistry } from '@site/registry/create-registry-app';
import { runProcess } from '@site/server/run-process';
import { StartError } from '@site/server/start-error';
import { visibleText } from '@site/contract/text';
import { assertFreePorts } from './free-ports.ts';
import { buildStale } from './build-stale.ts';
import { readLocalConfig } from './config.ts';
import { expectedErrors } from './expected-errors.ts';
import { announce, createDataDir } from './data-dir.ts';
import { localCertificate } from './local-certificate.ts';
import { mailPage } from './mail/mail-pages.ts';
import { startMailSink } from './mail/mail-sink.ts';
import { localTokens } from './local-tokens.ts';
import { appFolders, consoleFolder, root } from './paths.ts';
import { releaseSources } from './release-sources.ts';
import { placeholderPage, withPlaceholders } from './placeholders.ts';
import { defaultBrand, openSiteDatabase, siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** Loading a release takes a second or two; an edge that takes longer has failed. */
const SERVING_TIMEOUT_MS = 30_000;

/** In `npx @site/cli status`. */
const edgeId = 'local';

await runProcess(async (stopping) => {
  const config = readLocalConfig(process.env, process.argv.slice(2));
  const { ports, host, dataDir, onlyHosts } = config;
  await assertFreePorts(host, ports);
  await createDataDir(dataDir);

  const stack = createStack();
  // The parent process is gone, perhaps by kill -9.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    const tokens = await localTokens(dataDir);
    const certificate = config.https ? await localCertificate(dataDir) : undefined;
    const withLinks = (brand: Brand): Brand =>
      config.mode === 'production'
        ? brand
        : withPlaceholders(brand, defaultBrand(), `http://localhost:${ports.ops}`);
    const configured = siteConfig(config);
    const site =
      configured.brand && config.brandFile === undefined
        ? { ...configured, brand: withLinks(configured.brand) }
        : configured;
    // Before the builds, which can take minutes, so that a folder in use or an unreachable database is
    // reported immediately.
    const database = await openSiteDatabase(stack, config);
    await buildStale([...appFolders(), consoleFolder], say, stopping);
    const store = await openStore(config.artifacts.location, config.artifacts);
    const composer = stack.use(startComposer());
    const registry = stack.use(
      await startRegistry({
        port: ports.registry,
        host,
        onlyHosts,
        database,
        store,
        composer,
        inbox: { url: site.forms.base, token: tokens.inbox },
        auditKey: createAuditKey(await keptAuditSecret(dataDir)),
        logLevel: config.logLevel,
        bootstrapTokens: [
          { name: 'local ops', token: tokens.ops, scopes: ['ops'] },
          { name: 'local forms', token: tokens.forms, scopes: ['read'] },
          { name: 'local edge', token: tokens.edge, scopes: [`edge:${edgeId}`] },
        ],
      }),
    );
    // Production must not believe that its emails arrive.
    const sink = config.mail || config.mode === 'production' ? null : stack.use(await startMailSink());
    // The forms service queries the registry immediately.
    await startServices(stack, {
      config: sink ? { ...config, mail: { smtpUrl: sink.smtpUrl, from: 'hello@localhost' } } : config,
      database,
      site,
      tokens,
      live: { token: tokens.forms },
      certificate,
    });
    const release = await releaseSources({
      registryUrl: registry.url,
      token: tokens.ops,
      root,
      apps: appFolders(),
      config: site,
      keepsBrand: config.brandFile === undefined,
      adjustBrand: withLinks,
      log: say,
    });

    const edge = createEdge({
      registryUrl: registry.url,
      token: tokens.edge,
      store,
      isStoreRemote: config.artifacts.location.includes('://'),
      channel: 'production',
      cacheDir: join(dataDir, 'edge'),
      id: edgeId,
      certificate,
      redirectsOtherHosts: true,
      onlyHosts,
      opsPage: (path) => (sink && mailPage(sink, path)) ?? placeholderPage(path),
    });
    stack.use(await edge.start({ port: ports.site, host, ops: { port: ports.ops, host } }));
    await untilServing(edge, release);

    const { gateway, forms } = site;
    const urls = { site: site.origin, gateway: gateway.base, forms: forms.base, registry: registry.url };
    stack.use(await announce(dataDir, urls));

    say(`site      ${site.origin}`);
    say(`gateway   ${gateway.base}`);
    say(`forms     ${forms.base}`);
    say(`registry  ${registry.url}`);
    say(`console   ${await consoleLink(registry.url, tokens.ops)}`);
    if (sink)
      say(`mail      http://localhost:${ports.ops}/mail (delivered to nobody; SMTP_URL sets a mail server)`);
    say(`ready: ${site.origin}`);
    return stack;
  } catch (error) {
    await stack.abandon();
    throw error;
  }
}, expectedErrors);

/** The edge listens immediately and then loads the release. @throws StartError if it does not serve it in time. */
async function untilServing(edge: Edge, release: string): Promise<void> {
  const deadline = performance.now() + SERVING_TIMEOUT_MS;
  while (edge.release() !== release) {
    if (performance.now() > deadline) {
      throw new StartError(
        `The release ${release} could not be served within ${SERVING_TIMEOUT_MS / 1000} s; the edge's log above says ` +
          'why. If files in the data folder are damaged or missing, start with an empty one: DATA_DIR=.data-new ' +
          'npm start',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** For one person within a minute; more with `npx @site/cli console`. */
async function consoleLink(registryUrl: string, token: string): Promise<string> {
  const { path } = await createRegistryClient({ registryUrl, token }).makeConsoleLink({ body: {} });
  return `${registryUrl}${path} (valid once, for a minute; "npx @site/cli console" makes another)`;
}

function say(line: string): void {
  // Some lines quote a registry or a page.
  process.stdout.write(`${visibleText(line)}\n`);
}
