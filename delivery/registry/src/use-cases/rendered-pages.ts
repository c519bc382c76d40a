import type { SiteConfig } from '@site/contract';
import { findRendered, noteWeights, type RenderedEntry } from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';

/** The pages of a set that are rendered, each with the file that it is in. */
export function findRenderedOf(
  { db }: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  options: { withWeights?: boolean } = {},
): Promise<RenderedEntry[]> {
  return findRendered(db, ...placeOf(set, config), options);
}

/** Keeps what the pages of a set were found to weigh. */
export async function noteWeightsOf(
  { db }: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  weighed: readonly RenderedEntry[],
): Promise<void> {
  await noteWeights(db, ...placeOf(set, config), weighed);
}

/** Under what the pages of a set stand in the database: with what they were rendered, and of which versions they are. */
function placeOf({ shell, remotes }: ReleaseSet, config: SiteConfig) {
  return [
    { shellVersion: shell.version, configDigest: digest(config) },
    Object.fromEntries(remotes.map(({ app, version }) => [app, version])),
  ] as const;
}
