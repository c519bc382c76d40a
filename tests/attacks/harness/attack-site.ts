import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere, type Ran } from '@site/cli/testing/run-here';
import type { SiteConfig } from '@site/contract';
import { createToken } from '@site/server/secrets';
import { makeEdgeToken } from '../../delivery/harness/edge-token.ts';
import { sampleConfig } from '../../delivery/harness/cluster.ts';
import { createNodeProcess, type NodeProcess } from '../../delivery/harness/node-process.ts';
import { sampleRemote, sampleShell } from '../../delivery/harness/sample-apps.ts';
import { freePorts } from '@site/server/testing/free-ports';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import { writeBuild } from '../../delivery/harness/write-build.ts';
import { packPackage } from './pack-package.ts';

/** A live site with a shell, a harmless remote, and a hostile team. */
export interface AttackSite {
  registryUrl: string;
  edgeUrl: string;
  opsUrl: string;
  registry: NodeProcess;
  edge: NodeProcess;
  tokens: { ops: string };
  /**
   * Publishes a package, such as `mfe-array-push` of `tests/attacks/packages`, with `npx @site/cli publish
   * --no-build` and a token for only that app. More arguments go to the command.
   */
  publish(folder: string, ...more: string[]): Promise<Ran>;
  /** Leaves the build of another shell in the checkout, for `site('publish', 'shell', '--no-build')`. */
  buildShell(edition: string): Promise<void>;
  /** Runs any `npx @site/cli …` command as ops. */
  site(...args: string[]): Promise<Ran>;
  /** Fails if the registry does not respond or another team cannot publish. @returns the text of its page. */
  assertOthersAreWell(): Promise<string>;
  stop(): Promise<void>;
}

export interface AttackSiteOptions {
  env?: Record<string, string>;
  registryEnv?: Record<string, string>;
  /** The configuration for rendering. */
  config?: SiteConfig;
}

export const packagesFolder = join(process.cwd(), 'tests/attacks/packages');

/** The harmless remote. Its page is /good. */
const good = 'mfe-good';

/** Starts a registry and an edge as processes (PostgreSQL, files in a folder) and makes a first release. */
export async function startAttackSite({
  env = {},
  registryEnv = {},
  config = sampleConfig,
}: AttackSiteOptions = {}): Promise<AttackSite> {
  const folder = await mkdtemp(join(tmpdir(), 'site-attack-'));
  const [checkout, postgres] = await Promise.all([
    makeCheckout(join(folder, 'checkout')),
    newPostgresDatabase(),
  ]);
  const tokens = { ops: createToken() };
  const port = await freePorts(3);
  const registryUrl = `http://127.0.0.1:${port}`;
  const edgeUrl = `http://127.0.0.1:${port + 1}`;
  const common = {
    PATH: process.env['PATH'] ?? '',
    HOST: '127.0.0.1',
    ARTIFACTS: join(folder, 'artifacts'),
    ...env,
  };
  const registry = createNodeProcess(
    'delivery/registry/src/main.ts',
    {
      ...common,
      PORT: String(port),
      DATA_DIR: join(folder, 'registry'),
      DATABASE_URL: postgres.url,
      OPS_TOKEN: tokens.ops,
      LOG_LEVEL: 'warn',
      ...registryEnv,
    },
    'registry: ',
  );
  await registry.start();
  const edge = createNodeProcess(
    'delivery/edge/src/main.ts',
    {
      ...common,
      PORT: String(port + 1),
      OPS_PORT: String(port + 2),
      DATA_DIR: join(folder, 'edge'),
      REGISTRY_URL: registryUrl,
      EDGE_ID: 'edge-1',
      EDGE_TOKEN: await makeEdgeToken(registryUrl, tokens.ops, 'edge-1'),
      POLL_SECONDS: '1',
      // Tests use other names than the configuration's.
      REDIRECT_HOSTS: 'false',
      ACCESS_LOG: 'false',
    },
    'edge: ',
  );
  await edge.start();

  const runAs = (token: string, ...args: string[]) =>
    runHere(checkout, { SITE_REGISTRY: registryUrl, SITE_TOKEN: token }, ...args);
  /** Ops reserve a team's paths, whatever its packages claim. */
  const registered = async (app: string) => {
    const paths = `/${app.replace('mfe-', '')}/*`;
    const made = await runAs(tokens.ops, 'app', 'create', app, '--owner', 'somebody', '--paths', paths);
    if (made.code !== 0) throw new Error(made.err);
  };
  const teamTokens = new Map<string, string>();
  const teamToken = async (app: string) => {
    const known = teamTokens.get(app);
    if (known) return known;
    if (app !== good) await registered(app);
    const made = await runAs(tokens.ops, 'token', 'create', app, '--scope', `publish:${app}`);
    if (made.code !== 0) throw new Error(made.err);
    teamTokens.set(app, made.out.trim());
    return made.out.trim();
  };

  let edition = 0;
  const site: AttackSite = {
    registryUrl,
    edgeUrl,
    opsUrl: `http://127.0.0.1:${port + 2}`,
    registry,
    edge,
    tokens,
    async publish(packageFolder, ...more) {
      const app = await packPackage(packageFolder, checkout);
      return runAs(await teamToken(app), 'publish', app, '--no-build', ...more);
    },
    buildShell: (edition) => writeBuild(checkout, sampleShell(edition)),
    site: (...args) => runAs(tokens.ops, ...args),
    async assertOthersAreWell() {
      edition += 1;
      await writeBuild(checkout, sampleRemote(good, ['/good'], `edition ${edition}`));
      const published = await runAs(await teamToken(good), 'publish', good, '--no-build');
      if (published.code !== 0) throw new Error(`Another team cannot publish: ${published.err}`);
      const page = await fetch(`${edgeUrl}/good`);
      if (page.status !== 200) throw new Error(`The site answered ${page.status}.`);
      return page.text();
    },
    async stop() {
      await edge.stop();
      await registry.stop();
      await postgres.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };

  await site.buildShell('one');
  await writeBuild(checkout, sampleRemote(good, ['/good'], 'one'));
  await writeFile(join(checkout, 'production.json'), JSON.stringify(config));
  const activate = ['activate', 'shell', good, '--config', join(checkout, 'production.json')];
  for (const args of [['publish', 'shell', '--no-build'], ['publish', good, '--no-build'], activate]) {
    const { code, err } = await site.site(...args);
    if (code !== 0) throw new Error(`site ${args.join(' ')}: ${err}`);
  }
  return site;
}

async function makeCheckout(root: string): Promise<string> {
  await mkdir(root, { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  const { type } = JSON.parse(await readFile(join(process.cwd(), 'package.json'), 'utf8')) as {
    type: string;
  };
  await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, type }));
  return root;
}
