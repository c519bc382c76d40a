import { changesEveryPage, releaseNumber, type CanaryShare, type ReleaseDocument } from '@site/contract';
import type { LoadedRelease } from './loaded-release.ts';

/** The live release with the changes of some canaries. */
export interface LoadedSet {
  canaries: readonly CanaryShare[];
  release: LoadedRelease;
}

export interface VisitorSets {
  live(): LoadedRelease | null;
  /** Oldest first. */
  canaries(): readonly CanaryShare[];
  /** The sets whose pages visitors can get, except the live release. See `pageSets`. */
  sets(): readonly LoadedSet[];
  /** Composed from the page sets for its first visitor. */
  composed(canaries: readonly CanaryShare[]): LoadedRelease | Promise<LoadedRelease>;
}

export const isSameSet = (one: readonly CanaryShare[], other: readonly CanaryShare[]) =>
  one.length === other.length && one.every(({ release }, index) => release === other[index]?.release);

/** The canaries on which a page depends; all, if no page has this path. */
export function canariesOf(shown: Omit<VisitorSets, 'composed'>, path: string): readonly CanaryShare[] {
  const releases = [shown.live(), ...shown.sets().map(({ release }) => release)];
  const owners = new Set(releases.flatMap((release) => release?.pages.get(path)?.app ?? []));
  if (owners.size === 0) return shown.canaries();
  return shown.canaries().filter((canary) => changesEveryPage(canary) || owners.has(canary.app));
}

/**
 * @param seen the visitor's canaries of the page. After a rollback some pages may not be rendered yet: until then the
 * visitor gets the page without a canary. Its tab fetches no other set's table.
 */
export function pageRelease(
  shown: Pick<VisitorSets, 'sets'>,
  live: LoadedRelease,
  path: string,
  seen: readonly CanaryShare[],
): LoadedRelease {
  for (const canaries of [seen, seen.filter(changesEveryPage)]) {
    const release = shown.sets().find((set) => isSameSet(set.canaries, canaries))?.release;
    // Without this page, the set answers with its redirect or 404.
    if (release && (release.pages.get(path)?.isRendered ?? true)) return release;
  }
  return live;
}

/** Each remote canary has its pages from its own document. */
export function composeDocument(
  base: ReleaseDocument,
  remotes: readonly { canary: CanaryShare; document: ReleaseDocument }[],
): ReleaseDocument {
  return remotes.reduce((composed, { canary, document }) => withRemote(composed, canary, document), base);
}

function withRemote(
  base: ReleaseDocument,
  { app, release: id }: CanaryShare,
  own: ReleaseDocument,
): ReleaseDocument {
  const { release, packs, canaries = [] } = base;
  const version = own.release.apps[app] ?? '';
  const manifest = own.manifests[`${app}@${version}`];
  const paths = manifest?.kind === 'remote' ? manifest.pages.map(({ path }) => path) : [];
  return {
    ...base,
    canaries: [...canaries, id].sort((one, other) => releaseNumber(one) - releaseNumber(other)),
    release: {
      ...release,
      apps: { ...release.apps, [app]: version },
      lastGood: replaced(release.lastGood, [app], own.release.lastGood),
      leftOut: replaced(release.leftOut, [app]),
      retired: replaced(release.retired, [app]),
    },
    manifests: { ...base.manifests, ...own.manifests },
    rendered: replaced(base.rendered, paths, own.rendered),
    ...(packs && own.packs
      ? {
          packs: {
            files: { ...packs.files, ...own.packs.files },
            pages: replaced(packs.pages, [app], own.packs.pages),
          },
        }
      : {}),
  };
}

/** The map with these keys, and only these, as in another map. */
function replaced<T>(map: Record<string, T> = {}, keys: readonly string[], own: Record<string, T> = {}) {
  const kept = Object.entries(map).filter(([key]) => !keys.includes(key));
  return Object.fromEntries([...kept, ...Object.entries(own).filter(([key]) => keys.includes(key))]);
}
