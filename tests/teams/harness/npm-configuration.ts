import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface NpmConfiguration {
  /** `npm` with the site's registry for `@site`, independent of this repository and the machine's user. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

/** @param registry the packages `@site/*`. Others come from npm's configured registry. */
export async function createNpmConfiguration(registry: string): Promise<NpmConfiguration> {
  const folder = await mkdtemp(join(tmpdir(), 'site-npm-'));
  const [others, cafile] = await Promise.all([npmSetting('registry'), npmSetting('cafile')]);
  const npmrc = [
    `@site:registry=${registry}`,
    `registry=${others}`,
    ...(cafile === 'null' ? [] : [`cafile=${cafile}`]),
  ];
  await writeFile(join(folder, 'npmrc'), `${npmrc.join('\n')}\n`);
  return {
    env: {
      ...network(),
      PATH: pathWithoutRepository(),
      HOME: folder,
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '5',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
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
