import type { SiteConfig } from '@site/contract';
import { findRendered, noteWeights, type RenderedEntry } from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';

/** The pages of a set that are rendered, each with the file that it is in. */
export function findRenderedOf(
  { db }: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  options: { withWeights?: boolean } = {},
): Promise<RenderedEntry[]> {
  const versions = Object.fromEntries(remotes.map(({ app, version }) => [app, version]));
  const renderContext = { shellVersion: shell.version, configDigest: digest(config) };
  return findRendered(db, renderContext, versions, options);
}

/** Keeps what the pages of a set were found to weigh. */
export async function noteWeightsOf(
  { db }: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  weighed: readonly RenderedEntry[],
): Promise<void> {
  const versions = Object.fromEntries(remotes.map(({ app, version }) => [app, version]));
  await noteWeights(db, { shellVersion: shell.version, configDigest: digest(config) }, versions, weighed);
}
