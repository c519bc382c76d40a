import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@site/server/testing/free-ports';
import { createNodeProcess } from '../../delivery/harness/node-process.ts';

export interface NpmRegistry {
  url: string;
  /**
   * npm's configuration for installing and publishing, independent of this repository and the machine's user.
   */
  env: Record<string, string>;
  withoutLogin: Record<string, string>;
  token: string;
  stop(): Promise<void>;
}

/**
 * Starts Verdaccio with its own folder as the registry of `@site`. Other packages come from npm's configured
 * registry.
 */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'site-npm-'));
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}/`;
  await mkdir(join(folder, 'verdaccio'));
  await writeFile(join(folder, 'verdaccio/config.yaml'), configuration(port));
  const [registry, cafile] = await Promise.all([npmSetting('registry'), npmSetting('cafile')]);
  const npmrc = [
    `@site:registry=${url}`,
    `registry=${registry}`,
    ...(cafile === 'null' ? [] : [`cafile=${cafile}`]),
  ];
  const server = createNodeProcess(
    'node_modules/verdaccio/bin/verdaccio',
    { ...(process.env as Record<string, string>), XDG_CONFIG_HOME: folder, HOME: folder },
    'http address',
  );
  await server.start();
  const token = await logIn(url);
  const written = async (name: string, lines: readonly string[]) => {
    await writeFile(join(folder, name), `${lines.join('\n')}\n`);
    return join(folder, name);
  };
  const withoutLogin = {
    ...network(),
    PATH: pathWithoutRepository(),
    HOME: folder,
    npm_config_userconfig: await written('npmrc', npmrc),
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '5',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return {
    url,
    token,
    withoutLogin,
    env: {
      ...withoutLogin,
      npm_config_userconfig: await written('npmrc-with-login', [
        ...npmrc,
        `//127.0.0.1:${port}/:_authToken=${token}`,
      ]),
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** JSON is valid YAML. Paths are relative to this file. */
function configuration(port: number): string {
  return JSON.stringify({
    storage: './storage',
    listen: `127.0.0.1:${port}`,
    auth: { htpasswd: { file: './htpasswd' } },
    // Otherwise a token contains the password, which is slow to compare for each request.
    security: { api: { jwt: { sign: { expiresIn: '1d' } } } },
    packages: { '@site/*': { access: '$authenticated', publish: '$authenticated' } },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'info' },
  });
}

/** Like `npm login` of a new user with name and password. */
async function logIn(url: string): Promise<string> {
  const user = { name: 'people', password: 'the password of a test' };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`The npm registry rejected the login: status ${response.status}.`);
  return token;
}

/** This machine's configuration for other registries: proxies and certificates. */
function network(): Record<string, string> {
  const names = /^(https?_proxy|no_proxy|node_extra_ca_certs)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => names.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

async function npmSetting(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  return stdout.trim();
}

/**
 * The machine's programs, with the Node that runs this test, and no programs installed in this repository.
 */
function pathWithoutRepository(): string {
  const others = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'));
  return [dirname(process.execPath), ...others].join(delimiter);
}
