import type { Redirect, Release, RemoteManifest } from '@site/contract';
import { followRedirects } from '@site/contract/follow-redirects';

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
  const declared = new Map<string, Redirect>(
    remotes.flatMap(({ redirects }) => redirects.map((redirect) => [redirect.from, redirect])),
  );
  const own = new Map(
    Object.entries(retired)
      .filter(([app]) => app !== developed)
      .flatMap(([, { paths, to }]) => paths.map((path) => [path, to] as const))
      .filter(([path]) => !pages.has(path) && !declared.has(path)),
  );

  const redirects = new Map(declared);
  for (const [from, to] of own) if (to !== null) redirects.set(from, { from, to });
  // What was retired does not lead to where unknown paths lead.
  redirects.delete('*');

  const landings = [...own].map(([from, to]) => ({
    from,
    to: to === null ? undefined : followRedirects(to, { pages, redirects, gone: new Set() }),
  }));
  return {
    redirects: landings.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }])),
    gone: landings.flatMap(({ from, to }) => (to === undefined ? [from] : [])),
  };
}
