import { RegistryRefusal } from '@site/cli/cli-error';
import { publishApp } from '@site/cli/publish';
import { readBuild } from '@site/cli/read-build';
import { createRegistryClient, type RegistryClient } from '@site/cli/registry-client';
import { localApp } from '@site/cli/repository';
import type { Brand, ChannelAnswer, SiteConfig } from '@site/contract';
import { claimedPaths } from '@site/contract/redirects';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';

export interface ReleaseSourcesOptions {
  registryUrl: string;
  token: string;
  root: string;
  apps: string[];
  config: SiteConfig;
  /** None was set explicitly. */
  keepsBrand: boolean;
  adjustBrand?: (brand: Brand) => Brand;
  /** In the history. Default: `npm start`. */
  reason?: string;
  log(line: string): void;
}

/**
 * Publishes the builds of this checkout and activates them as one release. A rolled back version is excluded: it
 * would otherwise return with every start. An error (a freeze, a canary of the same app, a page that does not render)
 * does not prevent the start if something is live, because the registry that can end the freeze or the canary starts
 * with it: the affected app stays unchanged. @returns the id of the live release. @throws CliError if nothing is live
 * and the registry rejects the first release.
 */
export async function releaseSources(options: ReleaseSourcesOptions): Promise<string> {
  const {
    registryUrl,
    token,
    root,
    apps,
    log,
    adjustBrand = (brand) => brand,
    reason = 'npm start',
  } = options;
  const registry = createRegistryClient({ registryUrl, token });
  const before = await registry.readChannel({ params: { channel: 'production' } });
  const kept = options.keepsBrand ? before.release?.config.brand : undefined;
  const config = kept ? { ...options.config, brand: adjustBrand(kept) } : options.config;

  /** The registry's rejection, or null. With nothing live, a rejection is fatal. */
  const catchRefusal = async (work: () => Promise<void>): Promise<RegistryRefusal | null> => {
    try {
      await work();
      return null;
    } catch (error) {
      if (before.release !== null && error instanceof RegistryRefusal) return error;
      throw error;
    }
  };
  const orKeep = async (what: string, work: () => Promise<void>) => {
    const refusal = await catchRefusal(work);
    if (refusal) log(`${what} stays as it is: ${refusal.message}`);
  };
  const activate = async (order: Omit<ReleaseRequest, 'reason'>) => {
    const made = await registry.createRelease({
      params: { channel: 'production' },
      body: { ...order, reason },
    });
    if (made.changed) log(`release ${made.release.id} is live, ${made.rendered} pages rendered`);
  };

  await orKeep('What is kept for the apps', () => releasePaths(registry, root, apps));
  const versions: Record<string, string> = {};
  for (const app of apps) {
    await orKeep(app, async () => {
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
        log(`${name} stays out: ${app} is retired ("npx @site/cli activate ${name}" brings it back)`);
      } else if (isCanaryVersion(before, app, published.version)) {
        log(
          `${name} stays a canary: "npx @site/cli promote ${app}" shows it to everyone, "npx @site/cli abort ${app}" ends it`,
        );
      } else {
        versions[app] = published.version;
      }
    });
  }

  if (await catchRefusal(() => activate({ apps: versions, config }))) {
    // Individually, so that each rejection has its reason and the rest becomes live.
    await orKeep('The configuration', () => activate({ apps: {}, config }));
    for (const [app, version] of Object.entries(versions)) {
      await orKeep(app, () => activate({ apps: { [app]: version } }));
    }
  }
  const { state } = await registry.readChannel({ params: { channel: 'production' } });
  if (state.live === null) throw new Error('Nothing is live on production after the release.');
  return state.live;
}

function isCanaryVersion({ canaries }: ChannelAnswer, app: string, version: string): boolean {
  return canaries.some((canary) => canary.app === app && canary.release.apps[app] === version);
}

/**
 * Pages may move between apps in the sources: releases the reserved paths that an app no longer claims and
 * another app of this checkout claims, before both are published.
 */
export async function releasePaths(
  registry: RegistryClient,
  root: string,
  apps: readonly string[],
): Promise<void> {
  const claims = new Map<string, string[]>();
  for (const app of apps) {
    const { manifest } = await readBuild(localApp(root, app));
    if (manifest.kind !== 'shell') claims.set(app, claimedPaths(manifest));
  }
  const registered = await registry.listOwnedApps({ params: { channel: 'production' } });
  for (const { app, paths } of registered.apps) {
    const own = claims.get(app);
    if (!own) continue;
    const wanted = new Set([...claims].flatMap(([other, theirs]) => (other === app ? [] : theirs)));
    const kept = paths.filter((path) => own.includes(path) || !wanted.has(path));
    if (kept.length === paths.length) continue;
    await registry.changeApp({
      params: { app },
      body: { paths: kept, reason: 'npm start: a page has moved' },
    });
  }
}
