import { CliError } from '@site/cli/cli-error';
import { publishApp } from '@site/cli/publish';
import { createRegistryClient } from '@site/cli/registry-client';
import type { SiteConfig } from '@site/contract';
import { StartError } from '@site/server/start-error';
import { root } from './paths.ts';

export interface ReleaseSourcesOptions {
  registryUrl: string;
  token: string;
  apps: string[];
  config: SiteConfig;
  log(line: string): void;
}

/**
 * Publishes what is built in this checkout and makes it live, as one release. A version that was rolled back stays out:
 * it would sneak back with every start otherwise.
 *
 * @returns the id of the release that is live then.
 */
export async function releaseSources(options: ReleaseSourcesOptions): Promise<string> {
  try {
    return await release(options);
  } catch (error) {
    // What the registry refuses (two remotes that claim one path, a page that does not render) is told in its words.
    throw error instanceof CliError ? new StartError(error.message, { cause: error }) : error;
  }
}

async function release({ registryUrl, token, apps, config, log }: ReleaseSourcesOptions): Promise<string> {
  const registry = createRegistryClient({ registryUrl, token });
  const versions: Record<string, string> = {};
  for (const app of apps) {
    // All of them change together: they are held against each other when they are activated.
    const published = await publishApp({ root, app, registry, build: false, deferLiveChecks: true });
    const name = `${app}@${published.version}`;
    if (published.quarantined) {
      log(`${name} stays out: it was rolled back (${published.quarantined.reason})`);
      continue;
    }
    versions[app] = published.version;
    if (published.created) log(`published ${name}`);
  }
  const made = await registry.createRelease('production', {
    apps: versions,
    config,
    reason: 'npm start',
  });
  if (made.changed) log(`release ${made.release.id} is live, ${made.rendered} pages rendered`);
  return made.release.id;
}
