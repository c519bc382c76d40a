import {
  asksForFile,
  findEdgeAddress,
  SEARCH_PATH,
  readSearchQuery,
  type EdgeAddress,
  type Redirect,
  type Variants,
} from '@site/contract';
import { nextRedirect } from '@site/contract/redirects';
import type { Asset, ServedFile } from '../files/served-file.ts';
import type { OnDemand } from '@site/server/on-demand';
import type { LoadedRelease, PageDocument } from '../releases/loaded-release.ts';
import type { RequestTarget } from './read-target.ts';

export type Route =
  /** `path`, and `query` with its `?`: of a page of the release. */
  | { kind: 'document'; document: OnDemand<PageDocument>; drawn: boolean; path?: string; query?: string }
  | { kind: 'search-page'; document: OnDemand<PageDocument>; query: string }
  /** The same in JSON. */
  | { kind: 'search'; query: string }
  /** `from`: the redirect's path in the release, or `*`. */
  | { kind: 'redirect'; status: 302 | 308; from: string; location: string }
  | { kind: 'other-host'; location: string; instead: Route }
  | { kind: 'asset'; app: string; asset: Asset }
  | { kind: 'root-file'; file: ServedFile; path: string }
  | { kind: 'open-preview'; linkId: string; path: string | null }
  /** A file that is not in the live release; an older one may have it. */
  | { kind: 'old-asset'; app: string; path: string; isWorker?: true }
  | { kind: 'refused-script' }
  | { kind: 'state'; query: string }
  | { kind: 'ready' | 'leave-preview' }
  /** Browser reports: see `signals/`. */
  | { kind: 'signals'; query: string }
  | { kind: 'reports' }
  | { kind: 'gone'; document: OnDemand<PageDocument> | null }
  | { kind: 'not-found' | 'bad-request' | 'no-release' }
  | { kind: 'method-not-allowed'; allowed: readonly string[]; instead: Route };

export interface RoutedRequest {
  method: string;
  target: RequestTarget;
}

interface Address {
  path: string;
  query: string;
  release: LoadedRelease | null;
}

const own: Record<EdgeAddress, (asked: Address) => Route> = {
  state: ({ query }) => ({ kind: 'state', query }),
  ready: () => ({ kind: 'ready' }),
  signals: ({ query }) => ({ kind: 'signals', query }),
  reports: () => ({ kind: 'reports' }),
  search: ({ query, release }) =>
    release ? { kind: 'search', query: readSearchQuery(query) } : { kind: 'no-release' },
  preview({ query }) {
    const asks = new URLSearchParams(query);
    return { kind: 'open-preview', linkId: asks.get('id') ?? '', path: asks.get('path') };
  },
  leavePreview: () => ({ kind: 'leave-preview' }),
  assets: ({ path, release }) => assetAnswer(path, release),
  robots: rootFile,
  sitemap: rootFile,
  llms: rootFile,
  securityTxt: ({ release }) => rootFile({ path: '/security.txt', release }),
  opsHealth: notFound,
  opsReady: notFound,
  opsMetrics: notFound,
};

const readOnly = ['GET', 'HEAD'];
const methods: Partial<Record<Route['kind'], readonly string[]>> = {
  /** The confirmation page of a preview link posts its form here. */
  'open-preview': [...readOnly, 'POST'],
  signals: [...readOnly, 'POST'],
  reports: ['POST'],
};

export function routeRequest(
  { method, target }: RoutedRequest,
  release: LoadedRelease | null,
  draw: (variants: Variants) => string,
): Route {
  const asked = routeTarget(target, release, draw);
  const route = isFile(asked) && !target.isExact ? notFound() : asked;
  const allowed = methods[route.kind] ?? readOnly;
  return allowed.includes(method) ? route : { kind: 'method-not-allowed', allowed, instead: route };
}

/** A file has exactly one address: caches would store `/assets/shell/m%61in.js` permanently as another file. */
function isFile({ kind }: Route): boolean {
  return ['asset', 'old-asset', 'root-file'].includes(kind);
}

/** Redirects lead only to declared targets or known pages, and never to anything from the request except its query. */
function routeTarget(
  { query, decoded, isExact }: RequestTarget,
  release: LoadedRelease | null,
  draw: (variants: Variants) => string,
): Route {
  if (decoded === null) return { kind: 'bad-request' };

  const name = findEdgeAddress(decoded);
  if (name) return own[name]({ path: decoded, query, release });
  if (!release) return { kind: 'no-release' };

  const page = release.pages.get(decoded);
  if (page) {
    // `/%68ome` redirects to the canonical address.
    if (!isExact) return permanent(decoded, decoded, query);
    const document = page.documents.get(page.variants ? draw(page.variants) : '');
    if (!document) return notFound();
    const searched = decoded === SEARCH_PATH ? readSearchQuery(query) : '';
    if (searched !== '') return { kind: 'search-page', document, query: searched };
    const drawn = page.documents.size > 1;
    return { kind: 'document', document, drawn, path: decoded, ...(query === '' ? {} : { query }) };
  }
  if (release.rootFiles.has(decoded)) return rootFile({ path: decoded, release });

  const next = nextRedirect(decoded, release);
  if (next?.to === null) return { kind: 'gone', document: release.gonePage };
  if (next && next.from !== '*') {
    return next.from === '/' ? temporary(next, query) : permanent(next.from, next.to, query);
  }
  if (release.unpublished && !asksForFile(decoded))
    return { kind: 'document', document: release.unpublished, drawn: false };
  return next ? temporary(next, query) : notFound();
}

function notFound(): Route {
  return { kind: 'not-found' };
}

function rootFile({ path, release }: Pick<Address, 'path' | 'release'>): Route {
  if (!release) return { kind: 'no-release' };
  const file = release.rootFiles.get(path);
  return file ? { kind: 'root-file', file, path } : notFound();
}

function assetAnswer(path: string, release: LoadedRelease | null): Route {
  const asset = release?.assets.get(path);
  const [, app = '', file = ''] = /^\/assets\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (asset) return { kind: 'asset', app, asset };
  return app ? { kind: 'old-asset', app, path: file } : notFound();
}

function permanent(from: string, to: string, query: string): Route {
  return { kind: 'redirect', status: 308, from, location: withQuery(to, query) };
}

function temporary({ from, to }: Redirect, query: string): Route {
  return { kind: 'redirect', status: 302, from, location: withQuery(to, query) };
}

function withQuery(to: string, query: string): string {
  const [path = '', anchor] = to.split('#');
  return `${path}${query}${anchor === undefined ? '' : `#${anchor}`}`;
}
