import type { Redirect, ReleaseDocument, RenderedPage, SearchSection, Variants } from '@site/contract';
import type { PageHead } from '../pages/page-head.ts';
import type { ListedPage } from '../pages/site-texts.ts';
import type { EncodedBody } from '@site/server/encoded-body';
import type { OnDemand } from '@site/server/on-demand';
import type { Asset, ServedFile } from '../files/served-file.ts';
import type { SearchIndex } from '../search/search-index.ts';

export interface PageDocument {
  body: EncodedBody;
  csp: string;
  /** Every script has an integrity hash, and the page requires it. */
  hasIntegrity: boolean;
  links: string[];
  /** See `Reply.keys`. */
  keys: readonly string[];
}

export interface ServedPage {
  app: string;
  /** All of its variants. */
  isRendered: boolean;
  variants: Variants | undefined;
  /** By `variantKey`. Assembled on first request; everything that can fail was done before. */
  documents: Map<string, OnDemand<PageDocument>>;
  listed: ListedPage;
  sections: readonly SearchSection[];
}

export interface Rendering {
  page: RenderedPage;
  head: PageHead;
  bytes: number;
}

export interface LoadedRelease {
  /** See `setId`. */
  id: string;
  document: ReleaseDocument;
  pages: Map<string, ServedPage>;
  /** For dev previews: the page at addresses that only the developer's machine knows. The shell queries it. */
  unpublished: OnDemand<PageDocument> | null;
  renderings: Map<string, Rendering>;
  /** Its `TableAnswer`, compressed on first request. */
  table: OnDemand<EncodedBody>;
  /** By `from`, including `/` and `*`: declared by apps, or from retired apps. */
  redirects: Map<string, Redirect>;
  gone: ReadonlySet<string>;
  /** Null if no page of the release has a usable layout; the edge then renders its own. */
  gonePage: OnDemand<PageDocument> | null;
  /** By URL path. */
  assets: Map<string, Asset>;
  /** Read for it, or for a previous release that shares them. */
  packs: ReadonlySet<string>;
  search: OnDemand<SearchIndex>;
  /** By URL path. */
  rootFiles: Map<string, ServedFile>;
  /** Every response is noindex. */
  unlisted: boolean;
}
