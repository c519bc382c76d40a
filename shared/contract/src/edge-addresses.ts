import { SEARCH_ANSWER_PATH } from './search.ts';
import { SIGNALS_PATH } from './signals/report-limits.ts';
import { STATE_PATH } from './urls.ts';

/**
 * All paths that an edge serves itself, in every release: the list for its router and for the schemas of
 * pages and redirects. A trailing "/" includes everything below.
 */
export const edgeAddresses = {
  state: STATE_PATH,
  ready: '/__site/ready',
  signals: SIGNALS_PATH,
  /** Reports by browsers (https://www.w3.org/TR/reporting-1/). */
  reports: '/__site/reports',
  search: SEARCH_ANSWER_PATH,
  preview: '/_preview',
  leavePreview: '/_preview/leave',
  assets: '/assets/',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  llms: '/llms.txt',
  securityTxt: '/.well-known/security.txt',
  opsHealth: '/healthz',
  opsReady: '/readyz',
  opsMetrics: '/metrics',
} as const;
export type EdgeAddress = keyof typeof edgeAddresses;

const names = Object.keys(edgeAddresses) as EdgeAddress[];
const exact = new Map<string, EdgeAddress>(names.map((name) => [edgeAddresses[name], name]));
const folders = names.filter((name) => edgeAddresses[name].endsWith('/'));
const segments = new Set(Object.values(edgeAddresses).map(firstSegment));

export function findEdgeAddress(path: string): EdgeAddress | null {
  return exact.get(path) ?? folders.find((name) => path.startsWith(edgeAddresses[name])) ?? null;
}

export function isReservedPath(path: string): boolean {
  return segments.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}
