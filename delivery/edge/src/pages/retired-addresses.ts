import type { Redirect, Release, RemoteManifest } from '@site/contract';
import { followRedirects } from '@site/contract/redirects';
import type { RetiredAddresses } from '@site/documents/boot-data';

/**
 * Live pages and redirects take precedence over retired addresses. An address is gone if its target is not a page of
 * the release and does not redirect to one, or if the redirects form a loop. @param developed the app on a
 * developer's machine.
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
  // Retired addresses do not fall back to the catch-all redirect.
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
