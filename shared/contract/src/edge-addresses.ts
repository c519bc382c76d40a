import { SEARCH_ANSWER_PATH } from './search.ts';
import { SIGNALS_PATH } from './signals/report-limits.ts';
import { STATE_PATH } from './urls.ts';

/**
 * All paths that an edge serves itself, in every release: the list for its router and for the schemas of
 * pages and redirects. A trailing "/" includes everything below.
 */
export const edgeAddresses = {
  state: STATE_PATH,
  /** Whether this edge is ready for visitors, for load balancers that can only check the public port. */
  ready: '/__site/ready',
  signals: SIGNALS_PATH,
  /** Reports by browsers (https://www.w3.org/TR/reporting-1/). */
  reports: '/__site/reports',
  /**
   * Search results as JSON: suggestions of the search field in the header. The results page is `/search`, a page of a
   * remote.
   */
  search: SEARCH_ANSWER_PATH,
  preview: '/_preview',
  leavePreview: '/_preview/leave',
  assets: '/assets/',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  llms: '/llms.txt',
  securityTxt: '/.well-known/security.txt',
  /** For operators, on their own port: visitors get 404. */
  opsHealth: '/healthz',
  opsReady: '/readyz',
  opsMetrics: '/metrics',
} as const;
export type EdgeAddress = keyof typeof edgeAddresses;

const names = Object.keys(edgeAddresses) as EdgeAddress[];
const exact = new Map<string, EdgeAddress>(names.map((name) => [edgeAddresses[name], name]));
const folders = names.filter((name) => edgeAddresses[name].endsWith('/'));
const segments = new Set(Object.values(edgeAddresses).map(firstSegment));

/** The key of the edge's path that matches, or null. */
export function findEdgeAddress(path: string): EdgeAddress | null {
  return exact.get(path) ?? folders.find((name) => path.startsWith(edgeAddresses[name])) ?? null;
}

export function isReservedPath(path: string): boolean {
  return segments.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}
