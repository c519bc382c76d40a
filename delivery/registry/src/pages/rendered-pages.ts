import type { SiteConfig } from '@site/contract';
import { findRendered, noteWeights, type RenderedEntry } from './rendered-page.repository.ts';
import { digest } from '../kernel/canonical-json.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ReleaseSet } from './release-set.ts';

export function findRenderedPages(
  { db }: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  options: { withWeights?: boolean } = {},
): Promise<RenderedEntry[]> {
  return findRendered(db, ...renderKey(set, config), options);
}

export async function saveWeights(
  { db }: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  weighed: readonly RenderedEntry[],
): Promise<void> {
  await noteWeights(db, ...renderKey(set, config), weighed);
}

function renderKey({ shell, remotes }: ReleaseSet, config: SiteConfig) {
  return [
    { shellVersion: shell.version, configDigest: digest(config) },
    Object.fromEntries(remotes.map(({ app, version }) => [app, version])),
  ] as const;
}
