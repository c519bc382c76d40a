/** A script URL outside of the release. */
export class UntrustedScriptError extends Error {
  override name = 'UntrustedScriptError';
}

/**
 * Whether the site may load a script from `url`: only files of the apps in the release, from this very origin, where the
 * edge answers with nothing but files whose hash the registry recorded. In a dev preview one app has an origin of its
 * own, the developer's, which the CSP of that document names as well.
 *
 * @param originOf the origin of an app's files; undefined for a name that is not in the release.
 */
export function isReleaseScript(
  url: string,
  originOf: (app: string) => string | undefined,
  base: string,
): boolean {
  if (!URL.canParse(url, base)) return false;
  const { origin, pathname } = new URL(url, base);
  const [, assets, app, ...path] = pathname.split('/');
  return assets === 'assets' && originOf(app ?? '') === origin && path.join('/').endsWith('.js');
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * Installs the default Trusted Types policy, which every script URL passes that webpack and the federation runtime add
 * to the page. Without it the CSP (`require-trusted-types-for 'script'`) would refuse them all; browsers that do not
 * know Trusted Types ignore it.
 *
 * @see https://www.w3.org/TR/trusted-types/#default-policy-hdr
 */
export function installTrustedTypes(originOf: (app: string) => string | undefined): void {
  const factory = (self as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL(url) {
      if (isReleaseScript(url, originOf, location.href)) return url;
      throw new UntrustedScriptError(`The script ${url} is not part of this release of the site.`);
    },
  });
}
