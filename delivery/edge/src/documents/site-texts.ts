import type { Release } from '@site/contract';
import { plainText } from '@site/contract/plain-text';
import { keepsCrawlersAway } from './crawling.ts';
import type { PageHead } from './page-head.ts';

/** One page of a release, as crawlers and language models are told about it. */
export interface ListedPage extends PageHead {
  path: string;
  /** When the version of the remote that owns it was built. */
  builtAt: string;
}

export interface SiteTextsOptions {
  release: Release;
  pages: readonly ListedPage[];
  /** The path that `/` leads to: its description is the site's. */
  home: string | null;
  /** What the shell ships at the root: by URL path. */
  shipped: ReadonlyMap<string, string>;
}

/** The texts at the root of the site that follow from a release: what is live at which origin. By URL path. */
export function siteTexts({ release, pages, home, shipped }: SiteTextsOptions): Map<string, string> {
  const listed = pages.filter(({ isHidden }) => !isHidden).sort((a, b) => (a.path < b.path ? -1 : 1));
  const homePage = listed.find(({ path }) => path === home) ?? null;
  const manifest = shipped.get('/site.webmanifest');
  const security = shipped.get('/security.txt');
  return new Map([
    ['/robots.txt', robotsTxt(release)],
    ['/sitemap.xml', sitemapXml(release, listed)],
    ['/llms.txt', llmsTxt(release, listed, homePage)],
    ...(manifest === undefined ? [] : [['/site.webmanifest', namedManifest(release, manifest)] as const]),
    ...(security === undefined ? [] : [['/security.txt', completeSecurityTxt(release, security)] as const]),
  ]);
}

/** @see https://www.rfc-editor.org/rfc/rfc9309 */
function robotsTxt({ config }: Release): string {
  if (keepsCrawlersAway(config)) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nAllow: /\n\nSitemap: ${config.origin}/sitemap.xml\n`;
}

/** @see https://www.sitemaps.org/protocol.html */
function sitemapXml({ config }: Release, pages: readonly ListedPage[]): string {
  // Paths and origins hold nothing that XML would have to escape: their schemas say so.
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
 * A team's text as one line of Markdown that is nothing but text: no link, heading, list, code or HTML begins in it.
 *
 * @see https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
function markdownText(text: string): string {
  return plainText(text).replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)|^[#+-]|(?<=^\d+)[.)]|(?<=:)\/(?=\/)/g, '\\$&');
}

/** In the shell's manifest, `{brand}` is the name of the brand, or the host where there is none. */
function namedManifest({ config: { brand, origin } }: Release, text: string): string {
  const name = JSON.stringify(brand?.name ?? new URL(origin).host).slice(1, -1);
  return text.replaceAll('{brand}', () => name);
}

/**
 * Adds what RFC 9116 demands and the shell cannot know. The text is as fresh as the release: it expires a year after it,
 * so that a site that nobody looks after any more stops promising that somebody reads reports.
 */
function completeSecurityTxt({ config, at }: Release, text: string): string {
  const expires = new Date(at);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  const { email, contact } = config.brand ?? {};
  const reached = email ? `mailto:${email}` : contact || `${config.origin}/support`;
  const contacts = /^Contact:/m.test(text) ? '' : `Contact: ${reached}\n`;
  return `${contacts}${text.trimEnd()}\nCanonical: ${config.origin}/.well-known/security.txt\nExpires: ${expires.toISOString()}\n`;
}
