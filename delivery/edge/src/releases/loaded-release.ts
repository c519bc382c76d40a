import type { Redirect, ReleaseDocument, RenderedPage, SearchSection, Variants } from '@site/contract';
import type { PageHead } from '../documents/page-head.ts';
import type { ListedPage } from '../documents/site-texts.ts';
import type { EncodedBody } from '@site/server/encoded-body';
import type { OnDemand } from '@site/server/on-demand';
import type { Asset, ServedFile } from '../files/served-file.ts';
import type { SearchIndex } from '../search/search-index.ts';

/** One page with one choice of its variants. */
export interface PageDocument {
  body: EncodedBody;
  csp: string;
  /** Every script that it loads carries its hash, and browsers are told to demand it. */
  hasIntegrity: boolean;
  /** `Link` header values: what the browser will need next. */
  links: string[];
}

export interface ServedPage {
  variants: Variants | undefined;
  /** By `variantKey`. Put together when the first visitor asks for it: everything that can fail was done before. */
  documents: Map<string, OnDemand<PageDocument>>;
  listed: ListedPage;
  /** What of it can be found. */
  sections: readonly SearchSection[];
}

/** A page as it was rendered ahead of time, read and checked. It never changes, so releases share it. */
export interface Rendering {
  page: RenderedPage;
  head: PageHead;
  /** Of the page, as UTF-8. */
  bytes: number;
}

/** A release with everything that its visitors will ask for in memory. Never changes once it is made. */
export interface LoadedRelease {
  id: string;
  document: ReleaseDocument;
  pages: Map<string, ServedPage>;
  /** Of a dev preview: for addresses of pages that only the developer's machine knows. The shell asks it. */
  unpublished: OnDemand<PageDocument> | null;
  /** What its pages are made from, by integrity. */
  renderings: Map<string, Rendering>;
  /** By `from`, including `/` and `*`: those that apps declare, and those of retired apps. */
  redirects: Map<string, Redirect>;
  /** Addresses of retired apps that lead nowhere. */
  gone: ReadonlySet<string>;
  /** What they answer. Null: in no page of the release, so the edge writes it itself. */
  gonePage: OnDemand<PageDocument> | null;
  /** By URL path. */
  assets: Map<string, Asset>;
  /** The packs that were read for it, or for a release before it with which it shares them. */
  packs: ReadonlySet<string>;
  /** What can be found on its pages. */
  search: OnDemand<SearchIndex>;
  /** By URL path. */
  rootFiles: Map<string, ServedFile>;
  /** Search engines are told not to list anything. */
  unlisted: boolean;
}
