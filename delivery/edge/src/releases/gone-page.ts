import type { PageEntry, RemoteManifest } from '@site/contract';
import { cacheKeys } from '@site/contract/cache-keys';
import { escapeText } from '@site/contract/text';
import { contentSecurityPolicy } from '@site/documents/content-security-policy';
import {
  assembleDocument,
  describeDocument,
  preloadLinks,
  type DocumentParts,
} from '@site/documents/document';
import { compressBody } from '@site/server/encoded-body';
import { onDemand, type OnDemand } from '@site/server/on-demand';
import type { EdgePage } from '../pages/edge-page.ts';
import { documentKeys, requireAsset, type PageSources } from './load-pages.ts';
import type { LoadedRelease, PageDocument, Rendering } from './loaded-release.ts';

export interface GoneSources extends Pick<PageSources, 'document' | 'parts' | 'assets' | 'boot' | 'banner'> {
  renderings: LoadedRelease['renderings'];
  /** The target of `/`. Prefer a page of the same remote: any team may own the other pages. */
  home: string | null;
}

export function loadGonePage(sources: GoneSources): OnDemand<PageDocument> | null {
  const { document, parts, assets, boot, banner } = sources;
  const found = findFrame(sources);
  if (!found) return null;
  const { remote, page, rendering } = found;
  const { config } = document.release;
  return onDemand(async () => {
    const described = describeDocument({
      shell: parts.shell,
      remote,
      page,
      filesFromElsewhere: true,
      assetText: (app, path) => requireAsset(assets, app, path).body.identity.toString('utf8'),
      origin: config.origin,
      rendered: rendering.page,
      boot: boot.of(remote.app, page.path, true, {}),
      banner,
    });
    const { html, inline } = assembleDocument(goneParts(described, rendering.head.siteName));
    return {
      body: await compressBody(html),
      csp: contentSecurityPolicy(config, inline),
      hasIntegrity: true,
      links: preloadLinks(described),
      keys: [cacheKeys.table, ...documentKeys(parts.shell, remote)],
    };
  });
}

interface Frame {
  remote: RemoteManifest;
  page: PageEntry;
  rendering: Rendering;
}

function findFrame({ document, parts, renderings, home }: GoneSources): Frame | null {
  const isHomes = ({ pages }: RemoteManifest) => pages.some(({ path }) => path === home);
  const frames = parts.remotes.flatMap((remote) =>
    remote.pages.flatMap((page): Frame[] => {
      const [integrity = ''] = Object.values(document.rendered[page.path] ?? {});
      const rendering = renderings.get(integrity);
      return rendering && hasFrame(rendering.page.html) ? [{ remote, page, rendering }] : [];
    }),
  );
  const rank = ({ remote, rendering }: Frame) =>
    (isHomes(remote) ? 0 : 2) + (isMarked(rendering.page.html) ? 1 : 0);
  const [best = null] = frames.sort((a, b) => rank(a) - rank(b));
  return best;
}

export const gonePage: EdgePage = {
  status: 410,
  title: 'This page is gone',
  html: '<p>It was taken off this site, and nothing has taken its place.</p><p><a href="/">Go to the home page</a></p>',
};

const css =
  '#gone{max-inline-size:36rem;margin-inline:auto;padding:4rem 1.25rem}#gone h1{font-size:clamp(2rem,6vw,3rem)}' +
  '#gone p{margin-block-start:1rem}';

export function hasFrame(html: string): boolean {
  return splitAtMain(html) !== null;
}

export function isMarked(html: string): boolean {
  const { before = '', after = '' } = splitAtMain(html) ?? {};
  return current.test(before) || current.test(after);
}

const current = / aria-current="[a-z]+"/;

/**
 * `<main>` is replaced, the rest of the page is kept. The page has no scripts, because they would find no page at
 * this address, so its styles for documents without scripts apply.
 */
export function goneParts(parts: DocumentParts, siteName: string | null): DocumentParts {
  const { title, html } = gonePage;
  const frame = splitAtMain(parts.page?.html ?? '');
  const text = escapeText(title);
  const name = siteName === null ? '' : ` · ${escapeText(siteName)}`;
  return {
    ...parts,
    styles: [
      ...parts.styles.map(({ href, css: text }) => ({ href, css: forNoScripts(text) })),
      { href: '', css },
    ],
    preloads: [],
    entry: null,
    boot: null,
    card: null,
    page: {
      head: `<title>${text}${name}</title><meta name="robots" content="noindex">`,
      html: `${unmarked(frame?.before)}<div id="gone"><h1>${text}</h1>${html}</div>${unmarked(frame?.after)}`,
    },
  };
}

function splitAtMain(html: string): { before: string; after: string } | null {
  const opening = /<main\b[^>]*>/.exec(html);
  const end = html.lastIndexOf('</main>');
  if (!opening || end < opening.index) return null;
  return { before: html.slice(0, opening.index + opening[0].length), after: html.slice(end) };
}

const unmarked = (text = '') => text.replaceAll(new RegExp(current, 'g'), '');

/** Scripting is enabled, but the page has no scripts: https://www.w3.org/TR/mediaqueries-5/#scripting */
function forNoScripts(style: string): string {
  return style.replaceAll(/\(scripting:\s*none\)/g, 'all').replaceAll(/\(scripting:\s*enabled\)/g, 'not all');
}
