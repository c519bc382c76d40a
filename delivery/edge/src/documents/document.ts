import {
  BOOT_DATA_ID,
  cardSize,
  edgeAddresses,
  FIRST_PAGE_ATTRIBUTE,
  PREVIEW_BANNER_ID,
  ROOT_ID,
  type BootData,
  type RenderedPage,
} from '@site/contract';
import { escapeAttribute, escapeText } from '@site/contract/escape-html';
import { escapeJson } from '@site/contract/escape-json';
import { palette } from '@site/contract/palette';
import { cspHash } from '@site/server/csp-hash';
import type { InlineHashes } from './content-security-policy.ts';

/** A script with the hash that the browser checks. */
export interface ScriptLink {
  href: string;
  integrity: string;
}

/** Everything that one document is made of. */
export interface DocumentParts {
  /** Sources of the small scripts that run before anything is painted (theme). */
  inlineScripts: string[];
  /** Stylesheets of the layout and the page, in order. */
  styles: { href: string; css: string }[];
  /** Fonts that the shell wants preloaded. */
  fonts: { href: string; type: string }[];
  /** Scripts that the shell will ask for next: the remote's entry and the page's own chunks. */
  preloads: ScriptLink[];
  /** The shell's main script. Null for a page without scripts. */
  entry: ScriptLink | null;
  /** Names of the files at the root of the site; those that browsers look for are linked. */
  rootFiles: string[];
  /** The link preview image, as an absolute URL. */
  card: { url: string; text: string | null } | null;
  /** Null when the shell is to render the page itself. */
  page: RenderedPage | null;
  /** Null where no script is to read it. */
  boot: BootData | null;
  /** What a preview says about itself, on every page of it. Null for what everyone sees. */
  banner: string | null;
}

const rootLinks: Record<string, string> = {
  'favicon.ico': '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  'favicon.svg': '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
  'apple-touch-icon.png': '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  'site.webmanifest': '<link rel="manifest" href="/site.webmanifest">',
};

/**
 * Puts a document together. Pure: the same parts give the same bytes.
 *
 * @returns the HTML, and the hashes under which its inline scripts and styles must stand in the CSP.
 * @throws Error when an inline script contains what would end it.
 */
export function assembleDocument(parts: DocumentParts): { html: string; inline: InlineHashes } {
  const scripts = parts.inlineScripts.map(inlineScriptText);
  const styles = parts.styles.map(({ href, css }) => ({ href, text: inlineStyleText(css) }));
  const bannerStyles = parts.banner === null ? [] : [bannerCss];
  const preloadScript = parts.preloads.length > 0 ? startPreloads : null;
  const head = [
    '<meta charset="utf-8">',
    // Before anything that a page has a part in: whatever calls itself the same further down is not the first.
    ...(parts.boot
      ? [`<script type="application/json" id="${BOOT_DATA_ID}">${escapeJson(parts.boot)}</script>`]
      : []),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    // As `lang` says; in the words of https://ogp.me/#optional.
    '<meta property="og:locale" content="en_US">',
    // The browser's own frame around the page.
    `<meta name="theme-color" content="${palette.paper.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${palette.paper.dark}" media="(prefers-color-scheme: dark)">`,
    ...scripts.map((text) => `<script>${text}</script>`),
    // mini-css-extract-plugin looks for `data-href` and then does not load the file a second time.
    ...styles.map(({ href, text }) => `<style data-href="${escapeAttribute(href)}">${text}</style>`),
    ...bannerStyles.map((text) => `<style>${text}</style>`),
    ...parts.fonts.map(
      ({ href, type }) =>
        `<link rel="preload" as="font" type="${escapeAttribute(type)}" crossorigin href="${escapeAttribute(href)}">`,
    ),
    // Pictures of the first view before scripts, which are asked for with low priority: the page is seen first, and answers
    // as early, for the line is never idle meanwhile.
    parts.page?.head ?? '',
    ...parts.preloads.map(
      ({ href, integrity }) =>
        `<link data-rel="preload" as="script" fetchpriority="low" crossorigin="anonymous" integrity="${integrity}" href="${escapeAttribute(href)}">`,
    ),
    ...(preloadScript ? [`<script>${preloadScript}</script>`] : []),
    ...(parts.entry ? [entryTag(parts.entry)] : []),
    ...parts.rootFiles.flatMap((name) => rootLinks[name] ?? []),
    ...(parts.card ? cardTags(parts.card) : []),
  ];
  const body = [
    // No white space inside the root: React would find text that it did not render.
    `<div id="${ROOT_ID}">${parts.page?.html ?? ''}</div>`,
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
 * Starts the script preloads. WebKit applies `Integrity-Policy` to a preload without reading its `integrity`, so it would block
 * and report each one; there `fetch` fills the HTTP cache. WebKit is also the only engine without `rel=prefetch`.
 */
const startPreloads =
  "document.querySelectorAll('link[data-rel]').forEach(l=>{" +
  "l.relList.supports('prefetch')?l.rel='preload':fetch(l.href,{integrity:l.integrity,priority:'low'}).catch(()=>{})})";

function entryTag({ href, integrity }: ScriptLink): string {
  return `<script defer fetchpriority="low" crossorigin="anonymous" integrity="${integrity}" src="${escapeAttribute(href)}"></script>`;
}

/** What marks a preview, by day as by night: its banner, and the button that opens it. */
export const previewStyle =
  `border:2px solid ${palette.paper.dark};border-radius:.5rem;` +
  `background:#ffd84d;color:${palette.paper.dark};`;

/** Stands beside what React renders, over every page, whatever else is open. */
const bannerCss =
  `#${PREVIEW_BANNER_ID}{position:fixed;inset:auto auto 1rem 1rem;z-index:2147483647;max-inline-size:min(26rem,calc(100vw - 2rem));` +
  `padding:.625rem .875rem;${previewStyle}font:600 .875rem/1.4 system-ui,sans-serif;overflow-wrap:anywhere}#${PREVIEW_BANNER_ID} a{color:inherit}` +
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

/** An inline script as it stands in a document. @throws Error when it contains what would end it. */
export function inlineScriptText(source: string): string {
  if (/<\/script|<!--/i.test(source)) {
    throw new Error(
      'An inline script contains "</script" or "<!--", which would end it early. Write it differently.',
    );
  }
  return normaliseText(source);
}

/** In CSS `\/` is an escaped `/`: the same style, but it no longer ends the element (SVG in a `url()` may hold one). */
function inlineStyleText(css: string): string {
  return normaliseText(css).replace(/<\/(?=style)/gi, '<\\/');
}

/** The text as the HTML parser will read it, which is what the browser hashes. */
function normaliseText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD');
}
