import {
  assetUrl,
  BOOT_DATA_ID,
  cardSize,
  edgeAddresses,
  FIRST_PAGE_ATTRIBUTE,
  PREVIEW_BANNER_ID,
  ROOT_ID,
  type BootData,
  type PageEntry,
  type RemoteManifest,
  type RenderedPage,
  type ShellManifest,
} from '@site/contract';
import { escapeAttribute, escapeJson, escapeText } from '@site/contract/text';
import { palette } from '@site/contract/palette';
import { assetContentType } from '@site/server/content-type';
import { cspHash } from '@site/server/csp-hash';
import { NO_DETECTION } from '@site/server/no-detection';
import { integrityOfFile } from './boot-data.ts';
import type { InlineHashes } from './content-security-policy.ts';

export interface ScriptLink {
  href: string;
  integrity: string;
}

export interface DocumentParts {
  inlineScripts: string[];
  styles: { href: string; css: string }[];
  fonts: { href: string; type: string }[];
  preloads: ScriptLink[];
  entry: ScriptLink | null;
  rootFiles: string[];
  card: { url: string; text: string | null } | null;
  page: RenderedPage | null;
  boot: BootData | null;
  /** Null outside previews. */
  banner: string | null;
}

export interface DocumentSources {
  shell: ShellManifest;
  remote: RemoteManifest;
  page: PageEntry;
  filesFromElsewhere: boolean;
  assetText(app: string, path: string): string;
  origin: string;
  rendered: RenderedPage | null;
  boot: BootData;
  banner: string | null;
}

export function describeDocument(sources: DocumentSources): DocumentParts {
  const { shell, remote, page, filesFromElsewhere, assetText, origin, rendered, boot, banner } = sources;
  const own = filesFromElsewhere ? null : page;
  const styles = [
    ...shell.document.css.map((path) => ['shell', path] as const),
    ...(own?.css ?? []).map((path) => [remote.app, path] as const),
  ];
  return {
    inlineScripts: shell.document.inlineScripts.map((path) => assetText('shell', path)),
    styles: styles.map(([app, path]) => ({ href: assetUrl(app, path), css: assetText(app, path) })),
    fonts: shell.document.fonts.map((path) => ({
      href: assetUrl('shell', path),
      type: assetContentType(path),
    })),
    preloads: (own ? [remote.entry, ...own.js] : []).map((path) => ({
      href: assetUrl(remote.app, path),
      integrity: integrityOfFile(remote, path),
    })),
    entry: { href: assetUrl('shell', shell.entry), integrity: integrityOfFile(shell, shell.entry) },
    rootFiles: Object.keys(shell.document.rootFiles),
    card: pageCard(remote, page, shell, origin),
    page: rendered,
    boot,
    banner,
  };
}

/** The page's own preview image, else the site's. Absolute, because link previews read it out of context. */
function pageCard({ app }: RemoteManifest, { card }: PageEntry, shell: ShellManifest, origin: string) {
  if (card) return { url: origin + assetUrl(app, card.file), text: card.text };
  return shell.document.rootFiles['card.png'] ? { url: `${origin}/card.png`, text: null } : null;
}

/**
 * The values of a document's `Link` header (RFC 8288): the fonts that the shell preloads, so that a browser (103 Early
 * Hints) or a CDN can start before the document arrives. No scripts: they would compete with the document and its
 * images on a slow connection without making the page interactive earlier.
 *
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-preload
 */
export function preloadLinks({ fonts }: DocumentParts): string[] {
  return fonts.map(({ href, type }) => `<${href}>; rel=preload; as=font; type="${type}"; crossorigin`);
}

const rootLinks: Record<string, string> = {
  'favicon.ico': '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  'favicon.svg': '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
  'apple-touch-icon.png': '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  'site.webmanifest': '<link rel="manifest" href="/site.webmanifest">',
};

/** Pure: the same parts give the same bytes. @throws Error if an inline script contains its own end tag. */
export function assembleDocument(parts: DocumentParts): { html: string; inline: InlineHashes } {
  const scripts = parts.inlineScripts.map(inlineScriptText);
  const styles = parts.styles.map(({ href, css }) => ({ href, text: inlineStyleText(css) }));
  const bannerStyles = parts.banner === null ? [] : [bannerCss];
  const preloadScript = parts.preloads.length > 0 ? startPreloads(parts.preloads) : null;
  const head = [
    '<meta charset="utf-8">',
    // First, because later elements with the same id are ignored. Pages can contribute only later elements.
    ...(parts.boot
      ? [`<script type="application/json" id="${BOOT_DATA_ID}">${escapeJson(parts.boot)}</script>`]
      : []),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    NO_DETECTION,
    // Matches `lang`; in the format of https://ogp.me/#optional.
    '<meta property="og:locale" content="en_US">',
    `<meta name="theme-color" content="${palette.paper.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${palette.paper.dark}" media="(prefers-color-scheme: dark)">`,
    ...scripts.map((text) => `<script>${text}</script>`),
    // mini-css-extract-plugin looks for `data-href` and then does not load the file again.
    ...styles.map(({ href, text }) => `<style data-href="${escapeAttribute(href)}">${text}</style>`),
    ...bannerStyles.map((text) => `<style>${text}</style>`),
    ...parts.fonts.map(
      ({ href, type }) =>
        `<link rel="preload" as="font" type="${escapeAttribute(type)}" crossorigin href="${escapeAttribute(href)}">`,
    ),
    // First-view images before scripts, which are fetched with low priority: the page paints earlier and becomes
    // interactive at the same time, because the connection is never idle.
    parts.page?.head ?? '',
    ...(preloadScript ? [`<script>${preloadScript}</script>`] : []),
    ...(parts.entry ? [entryTag(parts.entry)] : []),
    ...parts.rootFiles.flatMap((name) => rootLinks[name] ?? []),
    ...(parts.card ? cardTags(parts.card) : []),
  ];
  const body = [
    // No white space inside the root, or React hydration finds unexpected text.
    parts.page
      ? `<div id="${ROOT_ID}" data-sent="${measure(parts.page.html)}">${parts.page.html}</div>`
      : `<div id="${ROOT_ID}"></div>`,
    ...(parts.banner === null ? [] : [bannerHtml(parts.banner)]),
  ];
  const html = `<!doctype html><html lang="en"><head>${head.join('')}</head><body>${body.join('')}</body></html>\n`;
  return {
    html,
    inline: {
      scripts: [...scripts, ...(preloadScript ? [preloadScript] : [])].map(cspHash),
      styles: [...styles.map(({ text }) => text), ...bannerStyles].map(cspHash),
    },
  };
}

/**
 * The number of DOM nodes of React's root and the length of its text, from markup in which "<" and ">" occur only in
 * tags. The shell compares them with the document that arrived.
 */
function measure(html: string): string {
  const nodes = 1 + (html.match(/<[a-z]|<!--|>[^<]/gi)?.length ?? 0);
  const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/&#?\w+;/g, '.');
  return `${nodes} ${text.length}`;
}

/**
 * Starts the script preloads, except in browsers that the shell marks as unsupported. WebKit applies `Integrity-Policy`
 * to a preload without reading its `integrity`, so it would block and report each one; there `fetch` fills the HTTP
 * cache. With low priority WebKit would start it only after the entry has arrived. WebKit is also the only engine
 * without `rel=prefetch`.
 */
const startPreloads = (preloads: readonly ScriptLink[]) =>
  `'unsupported'in document.documentElement.dataset||${preloadList(preloads)}.forEach(([href,integrity])=>{` +
  "let l=document.createElement('link');if(l.relList.supports('prefetch'))document.head.append(Object.assign(l," +
  "{rel:'preload',as:'script',fetchPriority:'low',crossOrigin:'anonymous',integrity,href}));" +
  'else fetch(href,{integrity}).catch(()=>{})})';

const preloadList = (preloads: readonly ScriptLink[]) =>
  escapeJson(preloads.map(({ href, integrity }) => [href, integrity]));

function entryTag({ href, integrity }: ScriptLink): string {
  return (
    `<script defer fetchpriority="low" crossorigin="anonymous" integrity="${integrity}" ` +
    `src="${escapeAttribute(href)}"></script>`
  );
}

export const previewStyle =
  `border:2px solid ${palette.paper.dark};border-radius:.5rem;` +
  `background:#ffd84d;color:${palette.paper.dark};`;

const bannerCss =
  `#${PREVIEW_BANNER_ID}{position:fixed;inset:auto auto 1rem ` +
  '1rem;z-index:2147483647;max-inline-size:min(26rem,calc(100vw - 2rem));' +
  `padding:.625rem .875rem;${previewStyle}font:600 .875rem/1.4 ` +
  `system-ui,sans-serif;overflow-wrap:anywhere}#${PREVIEW_BANNER_ID} a{color:inherit}` +
  `@media print{#${PREVIEW_BANNER_ID}{display:none}}`;

function bannerHtml(text: string): string {
  return (
    `<aside id="${PREVIEW_BANNER_ID}" aria-label="Preview">${escapeText(text)} ` +
    `<a href="${edgeAddresses.leavePreview}">Leave the preview</a></aside>`
  );
}

/** @see https://ogp.me/#structured */
function cardTags({ url, text }: NonNullable<DocumentParts['card']>): string[] {
  const tag = (property: string, content: string) =>
    `<meta property="og:${property}" content="${escapeAttribute(content)}" ${FIRST_PAGE_ATTRIBUTE}>`;
  return [
    tag('image', url),
    tag('image:width', String(cardSize.width)),
    tag('image:height', String(cardSize.height)),
    ...(text === null ? [] : [tag('image:alt', text)]),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
}

/** @throws Error if the script contains its own end tag. */
export function inlineScriptText(source: string): string {
  if (/<\/script|<!--/i.test(source)) {
    throw new Error(
      'An inline script contains "</script" or "<!--", which would end it early. Write it differently.',
    );
  }
  return normaliseText(source);
}

/** In CSS, `\/` is an escaped `/`: the same style, but it no longer closes the element (a `url()` may contain SVG). */
function inlineStyleText(css: string): string {
  return normaliseText(css).replace(/<\/(?=style)/gi, '<\\/');
}

/** The text after the HTML parser's normalization, which is what browsers hash. */
function normaliseText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD');
}
