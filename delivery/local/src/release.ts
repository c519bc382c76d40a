import { createRegistryClient } from '@site/cli/registry-client';
import { readSiteConfig } from '@site/cli/read-site-config';
import { readSettings } from '@site/cli/settings';
import { configureProxy } from '@site/contract/env-proxy';
import { appFolders, root } from './paths.ts';
import { releaseSources } from './release-sources.ts';

/**
 * `site-platform release [site.json]`: publishes the apps of this package and activates them as one release. Without a
 * configuration the live one stays.
 */
try {
  configureProxy(process.env);
  const [file] = process.argv.slice(2);
  const { registryUrl, token } = await readSettings(root, process.env);
  if (typeof token !== 'string') throw new Error('Set SITE_REGISTRY and SITE_TOKEN, an ops token.');
  const { release } = await createRegistryClient({ registryUrl, token }).readChannel({
    params: { channel: 'production' },
  });
  const config = file === undefined ? release?.config : readSiteConfig(file);
  if (!config) throw new Error('The first release needs a configuration: site-platform release site.json');
  const id = await releaseSources({
    ...{ registryUrl, token, root, config, apps: appFolders(), keepsBrand: false },
    reason: 'site-platform release',
    log: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${id} is live\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
