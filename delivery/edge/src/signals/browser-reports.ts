import * as v from 'valibot';
import { FaultFileSchema } from '@site/contract/signals/fault';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { storable } from './count-report.ts';
import { routeApp } from './served-views.ts';
import type { FaultKey } from './sums.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '');
const place = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)));

const BrowserReportSchema = v.object({
  type: v.string(),
  url: text,
  body: v.object({
    effectiveDirective: text,
    destination: text,
    reason: text,
    blockedURL: text,
    sourceFile: text,
    lineNumber: v.nullish(place),
    columnNumber: v.nullish(place),
  }),
});
export const BrowserReportsSchema = v.pipe(v.array(v.unknown()), v.maxLength(20));

const kinds = {
  'csp-violation': { kind: 'csp', says: 'effectiveDirective' },
  'integrity-violation': { kind: 'integrity', says: 'destination' },
  crash: { kind: 'crash', says: 'reason' },
} as const;

/**
 * The fault belongs to the app whose file was blocked or violated a policy; a crash belongs to the page's app. Null if
 * our pages did not cause it: extensions do a lot that pages may not.
 * @param shown newest first.
 * @see https://www.w3.org/TR/CSP3/#reporting, https://wicg.github.io/crash-reporting/
 */
export function reportedFault(report: unknown, shown: readonly LoadedRelease[]): FaultKey | null {
  const read = v.safeParse(BrowserReportSchema, report);
  const known = read.success && Object.hasOwn(kinds, read.output.type);
  if (!known) return null;
  const { url, body, type } = read.output;
  const { kind, says } = kinds[type as keyof typeof kinds];
  const route = urlPath(url);
  const message = storable(body[says]);

  const files = [body.blockedURL, body.sourceFile].map(urlPath).filter((path) => v.is(FaultFileSchema, path));
  for (const release of shown) {
    const { apps } = release.document.release;
    const pageApp = routeApp(release, route);
    const file = files.find((path) => release.assets.has(path));
    const app = file?.split('/')[2] ?? (kind === 'crash' ? pageApp : undefined);
    const version = app === undefined ? undefined : apps[app];
    if (app === undefined || version === undefined) continue;
    const { lineNumber: line, columnNumber: column } = body;
    return {
      kind,
      app,
      version,
      message,
      ...(pageApp === undefined ? {} : { route }),
      ...(file === undefined ? {} : { file }),
      ...(line == null ? {} : { line }),
      ...(column == null ? {} : { column }),
    };
  }
  return null;
}

function urlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}
