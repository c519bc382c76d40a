import { isLoopbackHost, type Release, type SiteConfig } from '@site/contract';
import { plainText } from '@site/contract/text';
import { securityTxtExpiry } from '@site/documents/security-txt';
import type { PageHead } from './page-head.ts';

export interface ListedPage extends PageHead {
  path: string;
  builtAt: string;
}

export interface SiteTextsOptions {
  release: Release;
  pages: readonly ListedPage[];
  /** The page that `/` redirects to; its description is the site's. */
  home: string | null;
  shipped: ReadonlyMap<string, string>;
}

/** The update of a service worker that still shows a previous site: it removes itself and loads the page again. */
const WORKER_REMOVAL = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const client of await self.clients.matchAll({ type: 'window' })) await client.navigate(client.url);
})()));
`;

export function siteTexts({ release, pages, home, shipped }: SiteTextsOptions): Map<string, string> {
  const listed = pages.filter(({ isHidden }) => !isHidden).sort((a, b) => (a.path < b.path ? -1 : 1));
  const homePage = listed.find(({ path }) => path === home) ?? null;
  const manifest = shipped.get('/site.webmanifest');
  const security = shipped.get('/security.txt');
  return new Map([
    ['/robots.txt', robotsTxt(release)],
    ['/sitemap.xml', sitemapXml(release, listed)],
    ['/llms.txt', llmsTxt(release, listed, homePage)],
    ...(release.config.formerWorkers ?? []).map((path) => [path, WORKER_REMOVAL] as const),
    ...(manifest === undefined ? [] : [['/site.webmanifest', namedManifest(release, manifest)] as const]),
    ...(security === undefined ? [] : [['/security.txt', completeSecurityTxt(release, security)] as const]),
  ]);
}

/**
 * Everywhere except in production. No crawler reaches a loopback origin, so audits there measure as in production.
 */
export function excludesCrawlers({ mode, origin }: SiteConfig): boolean {
  const { hostname } = new URL(origin);
  return mode !== 'production' && !isLoopbackHost(hostname) && !hostname.endsWith('.localhost');
}

/** @see https://www.rfc-editor.org/rfc/rfc9309 */
function robotsTxt({ config }: Release): string {
  if (excludesCrawlers(config)) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nAllow: /\n\nSitemap: ${config.origin}/sitemap.xml\n`;
}

/** @see https://www.sitemaps.org/protocol.html */
function sitemapXml({ config }: Release, pages: readonly ListedPage[]): string {
  // Paths and origins need no XML escaping: their schemas exclude such characters.
  const urls = pages.map(
    ({ path, builtAt }) =>
      `  <url><loc>${config.origin}${path}</loc><lastmod>${builtAt.slice(0, 10)}</lastmod></url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** @see https://llmstxt.org */
function llmsTxt({ config }: Release, pages: readonly ListedPage[], home: ListedPage | null): string {
  const siteName = home?.siteName ?? new URL(config.origin).host;
  const about = home?.description ?? '';
  const services = [
    { name: 'Gateway', base: config.gateway.base, about: 'guests and their tokens' },
    { name: 'Forms', base: config.forms.base, about: 'identities and submissions' },
  ].filter(({ base }) => base !== '');
  return [
    `# ${markdownText(siteName)}`,
    ...(about === '' ? [] : ['', `> ${markdownText(about)}`]),
    '',
    '## Pages',
    '',
    ...pages.map(({ path, title, description }) => {
      const name = markdownText((title ?? path).replace(` · ${siteName}`, ''));
      return `- [${name}](${config.origin}${path})${description ? `: ${markdownText(description)}` : ''}`;
    }),
    ...(services.length > 0
      ? [
          '',
          '## API',
          '',
          ...services.map(({ name, base, about }) => `- [${name} (OpenAPI)](${base}openapi.json): ${about}`),
        ]
      : []),
    '',
  ].join('\n');
}

/**
 * Escapes a team's text to one line of plain Markdown text: no link, heading, list, code or HTML.
 *
 * @see https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
function markdownText(text: string): string {
  return plainText(text).replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)|^[#+-]|(?<=^\d+)[.)]|(?<=:)\/(?=\/)/g, '\\$&');
}

function namedManifest({ config: { brand, origin } }: Release, text: string): string {
  const name = JSON.stringify(brand?.name ?? new URL(origin).host).slice(1, -1);
  return text.replaceAll('{brand}', () => name);
}

function completeSecurityTxt({ config, at }: Release, text: string): string {
  const expires = securityTxtExpiry(at);
  const { email, contact } = config.brand ?? {};
  const reached = email ? `mailto:${email}` : contact || `${config.origin}/support`;
  const contacts = /^Contact:/m.test(text) ? '' : `Contact: ${reached}\n`;
  return (
    `${contacts}${text.trimEnd()}\nCanonical: ${config.origin}/.well-known/security.txt\nExpires: ` +
    `${expires.toISOString()}\n`
  );
}
