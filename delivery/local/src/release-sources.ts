import { RegistryRefusal } from '@site/cli/cli-error';
import { publishApp } from '@site/cli/publish';
import { createRegistryClient } from '@site/cli/registry-client';
import type { ChannelAnswer, SiteConfig } from '@site/contract';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';
import { giveUpPaths } from './give-up-paths.ts';

export interface ReleaseSourcesOptions {
  registryUrl: string;
  token: string;
  /** The root folder of the repository. */
  root: string;
  apps: string[];
  config: SiteConfig;
  /** Whether an existing brand is kept, because none was set explicitly. */
  keepsBrand: boolean;
  log(line: string): void;
}

/**
 * Publishes the builds of this checkout and activates them as one release. A rolled back version is excluded:
 * it would otherwise return with every start.
 * An error (a freeze, a canary of the same app, a page that does not render) does not prevent the start if
 * something is live, because the registry that can end the freeze or the canary starts with it. The affected
 * app stays unchanged, and the others become live.
 * @returns the id of the live release.
 * @throws CliError if nothing is live and the registry rejects the first release.
 */
export async function releaseSources(options: ReleaseSourcesOptions): Promise<string> {
  const { registryUrl, token, root, apps, log } = options;
  const registry = createRegistryClient({ registryUrl, token });
  const before = await registry.readChannel({ params: { channel: 'production' } });
  const kept = options.keepsBrand ? before.release?.config.brand : undefined;
  const config = kept ? { ...options.config, brand: kept } : options.config;

  /** The registry's rejection, or null. With nothing live, a rejection is fatal. */
  const refusalOf = async (work: () => Promise<void>): Promise<RegistryRefusal | null> => {
    try {
      await work();
      return null;
    } catch (error) {
      if (before.release !== null && error instanceof RegistryRefusal) return error;
      throw error;
    }
  };
  const orLeave = async (what: string, work: () => Promise<void>) => {
    const refusal = await refusalOf(work);
    if (refusal) log(`${what} stays as it is: ${refusal.message}`);
  };
  const activate = async (order: Omit<ReleaseRequest, 'reason'>) => {
    const made = await registry.createRelease({
      params: { channel: 'production' },
      body: { ...order, reason: 'npm start' },
    });
    if (made.changed) log(`release ${made.release.id} is live, ${made.rendered} pages rendered`);
  };

  await orLeave('What is kept for the apps', () => giveUpPaths(registry, root, apps));
  const versions: Record<string, string> = {};
  for (const app of apps) {
    await orLeave(app, async () => {
      // The apps change together: they are checked against each other at activation.
      const published = await publishApp({
        root,
        app,
        registry,
        // Already built if needed.
        build: false,
        allowStale: true,
        deferLiveChecks: true,
      });
      const name = `${app}@${published.version}`;
      if (published.created) log(`published ${name}`);
      if (published.quarantined) {
        log(`${name} stays out: it was rolled back (${published.quarantined.reason})`);
      } else if (before.release?.retired?.[app]) {
        log(`${name} stays out: ${app} is retired ("npx site activate ${app}" brings it back)`);
      } else if (isOfCanary(before, app, published.version)) {
        log(
          `${name} stays a canary: "npx site promote" shows it to everyone, "npx site abort" takes it away`,
        );
      } else {
        versions[app] = published.version;
      }
    });
  }

  if (await refusalOf(() => activate({ apps: versions, config }))) {
    // Individually, so that each rejection has its reason and the rest becomes live.
    await orLeave('The configuration', () => activate({ apps: {}, config }));
    for (const [app, version] of Object.entries(versions)) {
      await orLeave(app, () => activate({ apps: { [app]: version } }));
    }
  }
  const { state } = await registry.readChannel({ params: { channel: 'production' } });
  if (state.live === null) throw new Error('Nothing is live on production after the release.');
  return state.live;
}

/** Whether the version is the running canary's. */
function isOfCanary({ release: live, canary }: ChannelAnswer, app: string, version: string): boolean {
  return canary?.release.apps[app] === version && live?.apps[app] !== version;
}
