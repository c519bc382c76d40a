import type { Redirect, Release, RemoteManifest } from '@site/contract';

/** What is left of the apps that a release has retired: where each of their addresses leads, or that it is gone. */
export interface RetiredAddresses {
  redirects: Redirect[];
  gone: string[];
}

/**
 * A page or redirect of an app that is live comes before the address of one that is not. An address whose target is not a page of
 * the release any more, and does not lead to one either, is gone: nobody is sent to nowhere, or round in circles.
 *
 * @param developed the app that comes from a developer's machine, with its pages.
 */
export function retiredAddresses(
  { retired = {} }: Pick<Release, 'retired'>,
  { remotes }: { remotes: readonly Pick<RemoteManifest, 'pages' | 'redirects'>[] },
  developed?: string,
): RetiredAddresses {
  const pages = new Set(remotes.flatMap((remote) => remote.pages.map(({ path }) => path)));
  const declared = new Map(remotes.flatMap(({ redirects }) => redirects.map(({ from, to }) => [from, to])));
  const own = new Map(
    Object.entries(retired)
      .filter(([app]) => app !== developed)
      .flatMap(([, { paths, to }]) => paths.map((path) => [path, to] as const))
      .filter(([path]) => !pages.has(path) && !declared.has(path)),
  );

  function landing(first: string | null): string | null {
    const seen = new Set<string>();
    let to = first;
    while (to !== null) {
      const path = to.replace(/#.*$/, '');
      if (pages.has(path)) return to;
      if (seen.has(path)) return null;
      seen.add(path);
      to = declared.get(path) ?? own.get(path) ?? null;
    }
    return null;
  }

  const landings = [...own].map(([from, to]) => ({ from, to: landing(to) }));
  return {
    redirects: landings.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])),
    gone: landings.flatMap(({ from, to }) => (to === null ? [from] : [])),
  };
}
