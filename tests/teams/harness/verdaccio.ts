import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@site/server/testing/free-ports';
import { createNodeProcess } from '../../delivery/harness/node-process.ts';

/** An npm registry of a test's own, with nothing in it. */
export interface NpmRegistry {
  url: string;
  /** What npm needs to install from it and publish to it, and nothing of this repository or of whoever runs the tests. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts Verdaccio on a free port, with a folder of its own. Our packages are only what is published to it; all others it takes from the
 * registry that npm is configured with.
 */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'site-npm-'));
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}/`;
  await mkdir(join(folder, 'verdaccio'));
  await writeFile(join(folder, 'verdaccio/config.yaml'), await configuration(port));
  // npm wants a token for publishing; this registry lets everybody in.
  await writeFile(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=everybody\n`);
  const server = createNodeProcess(
    'node_modules/verdaccio/bin/verdaccio',
    // How this machine reaches the network: proxies and certificates.
    { ...(process.env as Record<string, string>), XDG_CONFIG_HOME: folder, HOME: folder },
    'http address',
  );
  await server.start();
  return {
    url,
    env: {
      PATH: pathWithoutRepository(),
      HOME: folder,
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '5',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** YAML reads JSON. Paths are relative to this file. */
async function configuration(port: number): Promise<string> {
  const [registry, ca] = await Promise.all([npmSetting('registry'), npmSetting('cafile')]);
  return JSON.stringify({
    storage: './storage',
    listen: `127.0.0.1:${port}`,
    auth: { htpasswd: { file: './htpasswd' } },
    uplinks: {
      configured: {
        url: registry,
        maxage: '60m',
        // Whoever is slow to answer on a busy machine is asked again, not left out for five minutes.
        timeout: '2m',
        max_fails: 100,
        fail_timeout: '1s',
        ...(ca === 'null' ? {} : { ca }),
      },
    },
    packages: {
      '@site/*': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'configured' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'info' },
  });
}

async function npmSetting(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  return stdout.trim();
}

/** The programs of the machine, with the Node that runs this test, and none that this repository has installed. */
function pathWithoutRepository(): string {
  const others = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'));
  return [dirname(process.execPath), ...others].join(delimiter);
}
