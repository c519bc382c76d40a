import semver from 'semver';
import type { ChannelName } from '@site/contract';
import type { StoredPackage } from './package.repository.ts';

/** Package versions that a live shell provides, by name. */
export type Provided = Readonly<Record<string, string>>;

/**
 * Each channel's tag is the newest version that its live shell supports; `latest` is production's. A remote built with
 * it can therefore be activated, also after a rollback of the shell.
 */
export function distTags(
  versions: readonly Pick<StoredPackage, 'version' | 'manifest'>[],
  shells: Partial<Record<ChannelName, Provided>>,
): Record<string, string> {
  const sorted = versions.toSorted((one, other) => semver.rcompare(one.version, other.version));
  const tags = Object.entries(shells).flatMap(([channel, provided]) => {
    const newest = sorted.find((one) => isSupported(one, provided));
    return newest ? [[channel, newest.version] as const] : [];
  });
  const byChannel = Object.fromEntries(tags);
  const latest = shells.production ? byChannel['production'] : sorted[0]?.version;
  return { ...(latest === undefined ? {} : { latest }), ...byChannel };
}

function isSupported(
  {
    version,
    manifest: { name, dependencies, peerDependencies },
  }: Pick<StoredPackage, 'version' | 'manifest'>,
  provided: Provided,
): boolean {
  const own = provided[name];
  if (own !== undefined && semver.gt(version, own)) return false;
  return Object.entries({ ...dependencies, ...peerDependencies }).every(([needed, range]) => {
    const offered = needed.startsWith('@site/') ? provided[needed] : undefined;
    return offered === undefined || semver.satisfies(offered, range);
  });
}
