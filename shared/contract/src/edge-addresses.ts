import { SEARCH_ANSWER_PATH } from './search.ts';
import { SIGNALS_PATH } from './signals/report-limits.ts';
import { STATE_PATH } from './state-path.ts';

/**
 * Everything that an edge answers itself, under every release: the one list that its router and the schemas of pages and
 * redirects go by. An address that ends with "/" stands for everything below it.
 */
export const edgeAddresses = {
  state: STATE_PATH,
  /** Whether this edge takes visitors: for a load balancer that can only ask the port that it sends them to. */
  ready: '/__site/ready',
  signals: SIGNALS_PATH,
  /** Browsers themselves tell what a page was not allowed to do (https://www.w3.org/TR/reporting-1/). */
  reports: '/__site/reports',
  /** What is found on the pages of the release, for the field in the header. The page of results is `/search`, a page of a remote. */
  search: SEARCH_ANSWER_PATH,
  preview: '/_preview',
  leavePreview: '/_preview/leave',
  assets: '/assets/',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  llms: '/llms.txt',
  securityTxt: '/.well-known/security.txt',
  /** For operators, on a port of their own: visitors get "not found". */
  opsHealth: '/healthz',
  opsReady: '/readyz',
  opsMetrics: '/metrics',
} as const;
export type EdgeAddress = keyof typeof edgeAddresses;

const names = Object.keys(edgeAddresses) as EdgeAddress[];
const exact = new Map<string, EdgeAddress>(names.map((name) => [edgeAddresses[name], name]));
const folders = names.filter((name) => edgeAddresses[name].endsWith('/'));
const segments = new Set(Object.values(edgeAddresses).map(firstSegment));

/** The name of the edge's own address that a path is, or null. */
export function edgeAddressOf(path: string): EdgeAddress | null {
  return exact.get(path) ?? folders.find((name) => path.startsWith(edgeAddresses[name])) ?? null;
}

/** Whether a path is for the edge alone: it begins as one of the edge's own addresses does. */
export function isReservedPath(path: string): boolean {
  return segments.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}
