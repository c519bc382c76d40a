import type { Redirect, ReleaseDocument, RenderedPage, SearchSection, Variants } from '@site/contract';
import type { PageHead } from '../pages/page-head.ts';
import type { ListedPage } from '../pages/site-texts.ts';
import type { EncodedBody } from '@site/server/encoded-body';
import type { OnDemand } from '@site/server/on-demand';
import type { Asset, ServedFile } from '../files/served-file.ts';
import type { SearchIndex } from '../search/search-index.ts';

/** One page with one combination of its variants. */
export interface PageDocument {
  body: EncodedBody;
  csp: string;
  /** Every script has an integrity hash, and the page requires it. */
  hasIntegrity: boolean;
  /** `Link` header values for preloading. */
  links: string[];
}

export interface ServedPage {
  variants: Variants | undefined;
  /** By `variantKey`. Assembled on first request; everything that can fail was done before. */
  documents: Map<string, OnDemand<PageDocument>>;
  listed: ListedPage;
  /** Its searchable sections. */
  sections: readonly SearchSection[];
}

/** A verified prerendered page. Immutable, so releases share it. */
export interface Rendering {
  page: RenderedPage;
  head: PageHead;
  /** Size of the page in UTF-8. */
  bytes: number;
}

/** A release with everything that it serves in memory. Immutable. */
export interface LoadedRelease {
  id: string;
  document: ReleaseDocument;
  pages: Map<string, ServedPage>;
  /** For dev previews: the page at addresses that only the developer's machine knows. The shell queries it. */
  unpublished: OnDemand<PageDocument> | null;
  /** The prerendered pages, by integrity. */
  renderings: Map<string, Rendering>;
  /** By `from`, including `/` and `*`: declared by apps, or from retired apps. */
  redirects: Map<string, Redirect>;
  /** Addresses of retired apps without a target. */
  gone: ReadonlySet<string>;
  /**
   * The page at these addresses. Null if no page of the release has a usable layout, so that the edge renders its own.
   */
  gonePage: OnDemand<PageDocument> | null;
  /** By URL path. */
  assets: Map<string, Asset>;
  /** The packs that were read for it, or for a previous release that shares them. */
  packs: ReadonlySet<string>;
  search: OnDemand<SearchIndex>;
  /** By URL path. */
  rootFiles: Map<string, ServedFile>;
  /** Every response is noindex. */
  unlisted: boolean;
}
