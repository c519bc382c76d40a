import { RegistryRefusal } from '@site/cli/cli-error';
import { publishApp } from '@site/cli/publish';
import { createRegistryClient } from '@site/cli/registry-client';
import type { ChannelAnswer, SiteConfig } from '@site/contract';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';
import { giveUpPaths } from './give-up-paths.ts';

export interface ReleaseSourcesOptions {
  registryUrl: string;
  token: string;
  /** The folder of the repository. */
  root: string;
  apps: string[];
  config: SiteConfig;
  /** Whether a site that has a brand keeps it: nobody chose another one. */
  keepsBrand: boolean;
  log(line: string): void;
}

/**
 * Publishes what is built in this checkout and makes it live, as one release. A version that was rolled back stays out:
 * it would sneak back with every start otherwise.
 *
 * A refusal (a freeze, a canary of the same app, a page that does not render) does not keep a site from starting that has
 * something to show: the registry that could end the freeze or the canary starts with it. The app concerned stays as it
 * is, and the others become live.
 *
 * @returns the id of the release that is live then.
 * @throws CliError when nothing is live and the registry refuses the first release.
 */
export async function releaseSources(options: ReleaseSourcesOptions): Promise<string> {
  const { registryUrl, token, root, apps, log } = options;
  const registry = createRegistryClient({ registryUrl, token });
  const before = await registry.readChannel({ params: { channel: 'production' } });
  const kept = options.keepsBrand ? before.release?.config.brand : undefined;
  const config = kept ? { ...options.config, brand: kept } : options.config;

  /** What the registry answers to what it refuses. A site that has nothing to show yet cannot start without it. */
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
      // All of them change together: they are held against each other when they are activated.
      const published = await publishApp({
        root,
        app,
        registry,
        // Built a moment ago, where that was needed.
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
    // One by one, each tells why it is refused, and whatever is not refused becomes live.
    await orLeave('The configuration', () => activate({ apps: {}, config }));
    for (const [app, version] of Object.entries(versions)) {
      await orLeave(app, () => activate({ apps: { [app]: version } }));
    }
  }
  const { state } = await registry.readChannel({ params: { channel: 'production' } });
  if (state.live === null) throw new Error('Nothing is live on production after it was released.');
  return state.live;
}

/** Whether the version is what the running canary brings. */
function isOfCanary({ release: live, canary }: ChannelAnswer, app: string, version: string): boolean {
  return canary?.release.apps[app] === version && live?.apps[app] !== version;
}
