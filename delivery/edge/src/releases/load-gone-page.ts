import type { PageEntry, RemoteManifest } from '@site/contract';
import { contentSecurityPolicy } from '@site/documents/content-security-policy';
import { assembleDocument, describeDocument, preloadLinks } from '@site/documents/document';
import { goneParts, hasFrame, isMarked } from '../pages/gone-page.ts';
import { compressBody } from '@site/server/encoded-body';
import { onDemand, type OnDemand } from '@site/server/on-demand';
import { assetOf, type PageSources } from './load-pages.ts';
import type { LoadedRelease, PageDocument, Rendering } from './loaded-release.ts';

/** Inputs of the "gone" page. */
export interface GoneSources extends Pick<PageSources, 'document' | 'parts' | 'assets' | 'boot' | 'banner'> {
  renderings: LoadedRelease['renderings'];
  /** The target of `/`. Prefer a page of the same remote: any team may own the other pages. */
  home: string | null;
}

/** The page at addresses that are gone, in the layout of the release's other pages. Null if none of them has one. */
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
      // Excludes the page's own files.
      filesFromElsewhere: true,
      textOf: (app, path) => assetOf(assets, app, path).body.identity.toString('utf8'),
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
