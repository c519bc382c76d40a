import { assetUrl, type SiteConfig } from '@site/contract';

/** For everything that is not a page: even if a browser opens it as one, nothing can run or load. */
export const nothingAllowed =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For files that a browser could open as documents: these get an opaque origin. */
export const sandboxed = `sandbox; ${nothingAllowed}`;

/** The name of the reporting endpoint: see https://www.w3.org/TR/reporting-1/. */
export const REPORTING_GROUP = 'site';

export interface InlineHashes {
  scripts: string[];
  styles: string[];
}

/**
 * No `unsafe-*`; Trusted Types; inline code by hash; workers, also service workers, of the shell only.
 * @param dev the origin of a developer's machine that serves a remote in this preview.
 */
export function contentSecurityPolicy(config: SiteConfig, inline: InlineHashes, dev?: string): string {
  const gateway = serviceOrigin(config.gateway.base);
  const forms = serviceOrigin(config.forms.base);
  const hashes = (values: string[]) => values.map((value) => `'${value}'`);
  const own = ["'self'", ...(dev === undefined ? [] : [dev])];
  const live = dev === undefined ? [] : [dev, dev.replace(/^http/, 'ws')];
  const directives: [string, ...string[]][] = [
    ['default-src', "'none'"],
    ['script-src', ...own, ...hashes(inline.scripts)],
    ['style-src', ...own, ...hashes(inline.styles)],
    ['img-src', ...own, 'data:'],
    ['font-src', ...own],
    ['connect-src', "'self'", ...gateway, ...forms, ...live],
    ['form-action', "'self'", ...forms],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
    ['manifest-src', "'self'"],
    ['worker-src', `${config.origin}${assetUrl('shell', '')}`],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', 'default'],
    ['report-to', REPORTING_GROUP],
  ];
  return directives.map(([name, ...values]) => [name, ...new Set(values)].join(' ')).join('; ');
}

function serviceOrigin(base: string): string[] {
  return base === '' ? [] : [new URL(base).origin];
}
