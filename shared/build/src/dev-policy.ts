import { assetUrl, type SiteConfig } from '@site/contract';
import { DEV_SHELL_POLICY } from './dev-config.ts';

const OVERLAY_POLICY = 'webpack-dev-server#overlay';

/**
 * The Content-Security-Policy of the dev server's documents: an edge's policy plus the hot-reload
 * connection and two Trusted Types policies. No `unsafe-*` either. A test compares both
 * (`delivery/local/src/dev-policy.test.ts`).
 * @param origin the dev server's own.
 */
export function devPolicy({ gateway, forms }: Pick<SiteConfig, 'gateway' | 'forms'>, origin: string): string {
  const [toGateway, toForms] = [gateway, forms].map(({ base }) =>
    base === '' ? [] : [new URL(base).origin],
  );
  const directives: [string, ...string[]][] = [
    ['default-src', "'none'"],
    ['script-src', "'self'"],
    ['style-src', "'self'"],
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...(toGateway ?? []), ...(toForms ?? []), origin.replace(/^http/, 'ws')],
    ['form-action', "'self'", ...(toForms ?? [])],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
    ['manifest-src', "'self'"],
    ['worker-src', `${origin}${assetUrl('shell', '')}`],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', 'default', DEV_SHELL_POLICY, OVERLAY_POLICY],
  ];
  return directives.map(([name, ...values]) => [name, ...new Set(values)].join(' ')).join('; ');
}
