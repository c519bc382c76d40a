import { assetUrl, type BootRemote, type RemoteBuild } from '@site/contract';

/** A script URL outside of the release. */
export class UntrustedScriptError extends Error {
  override name = 'UntrustedScriptError';
}

/** What there is of scripts in a release. Its remotes may become known later. */
export interface ReleaseScripts {
  shellScripts: readonly string[];
  remotes: ReadonlyMap<string, BootRemote>;
}

/**
 * Whether the site may load a script from `url`: one of exactly the files that belong to the release, the last good
 * versions of its remotes included, from this very origin. What another release had, or the edge serves besides, is not
 * among them. In a dev preview one remote has an origin of its own, the developer's, which the CSP of that document names
 * as well; there its files are not known beforehand.
 */
export function isReleaseScript(
  url: string,
  { shellScripts, remotes }: ReleaseScripts,
  base: string,
): boolean {
  if (!URL.canParse(url, base)) return false;
  const { origin, pathname } = new URL(url, base);
  const [, app = ''] = /^\/assets\/([^/]+)\/[^]+\.js$/.exec(pathname) ?? [];
  const isHere = origin === new URL(base).origin;
  if (app === 'shell') return isHere && isAmong(shellScripts, app, pathname);
  const remote = remotes.get(app);
  const isOf = (build: RemoteBuild) =>
    build.dev
      ? origin === new URL(build.entry, base).origin
      : isHere && (pathname === build.entry || isAmong(build.scripts, app, pathname));
  return remote !== undefined && [remote, ...(remote.lastGood ? [remote.lastGood] : [])].some(isOf);
}

function isAmong(scripts: readonly string[], app: string, pathname: string): boolean {
  return scripts.some((path) => assetUrl(app, path) === pathname);
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * Installs the default Trusted Types policy, which every script URL passes that webpack and the loader of remotes add
 * to the page. Without it the CSP (`require-trusted-types-for 'script'`) would refuse them all; browsers that do not
 * know Trusted Types ignore it.
 *
 * @see https://www.w3.org/TR/trusted-types/#default-policy-hdr
 */
export function installTrustedTypes(release: ReleaseScripts): void {
  const factory = (self as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL(url) {
      if (isReleaseScript(url, release, location.href)) return url;
      throw new UntrustedScriptError(`${url} is not part of this release.`);
    },
  });
}
