import { assetUrl, type BootRemote, type RemoteBuild } from '@site/contract';

export class UntrustedScriptError extends Error {
  override name = 'UntrustedScriptError';
}

export interface ReleaseScripts {
  shellScripts: readonly string[];
  remotes: ReadonlyMap<string, BootRemote>;
}

/**
 * Whether the site may load a script from `url`. Only the release's files on this origin are allowed, including its
 * remotes' last good versions. Files of other releases, and other files on the edge, are not allowed. In a dev preview
 * one remote has the developer's origin, which the document's CSP allows as well. Its file names are not known in
 * advance.
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
  const isBuildFile = (build: RemoteBuild) =>
    build.dev
      ? origin === new URL(build.entry, base).origin
      : isHere && (pathname === build.entry || isAmong(build.scripts, app, pathname));
  return remote !== undefined && [remote, ...(remote.lastGood ? [remote.lastGood] : [])].some(isBuildFile);
}

function isAmong(scripts: readonly string[], app: string, pathname: string): boolean {
  return scripts.some((path) => assetUrl(app, path) === pathname);
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * Installs the default Trusted Types policy. It checks every script URL that webpack and the remote loader add to the
 * page. Without it the CSP (`require-trusted-types-for 'script'`) would block them all. Browsers without Trusted Types
 * ignore it.
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
