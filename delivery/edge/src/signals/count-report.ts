import { assetUrl } from '@site/contract';
import { faultMessage } from '@site/contract/signals/fault-message';
import { STRETCH_PATIENCE_MS, stretches } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import type { ReleaseShown } from './served-views.ts';
import type { Addition, CellKey, Sums } from './sums.ts';

export interface Counting {
  shown: ReleaseShown;
  /** The bit of the network that the report came from. */
  network: number;
  /** Whether the network may add to what is counted of this version in this minute. */
  mayAdd(key: CellKey): boolean;
  /** Whether the view has not told of such a fault before. It is remembered. */
  isNew(fault: Fault): 'new' | 'repeated' | 'full';
  open(): Sums;
  /** See `HandOver`. */
  sumsAt(at: number): Sums;
  now: number;
}

type Result = 'counted' | 'late' | 'network' | 'repeated' | 'full';

/** Views are counted when they are this much older than the stretch, so that all of the same age are counted together. */
const SLACK_MS = 1_000;

/**
 * Adds one report, which was checked, to the sums.
 *
 * An outcome is counted at the same age of every view, whenever it was sent. A page that fails is left early and would else be
 * counted before the pages that work: a version that has just begun would look bad.
 *
 * @returns why nothing was added, or that it was.
 */
export function countReport(report: Report, counting: Counting): Result {
  const { shown, network, mayAdd, isNew, open, sumsAt, now } = counting;
  const { apps } = shown.release.document.release;
  const { app, version, route, build, variant } = report.view;
  const stretch = report.kind === 'outcome' ? report.stretch : 'first';
  const own: CellKey = { app, version, route, role: shown.role, build, stretch };
  const add = (sums: Sums, key: CellKey, addition: Omit<Addition, 'network'>): Result =>
    mayAdd(key) ? (sums.add(key, { ...addition, network }) ? 'counted' : 'full') : 'network';

  switch (report.kind) {
    case 'outcome': {
      const { from, to } = stretches[stretch];
      if (report.age < from || report.age > to + STRETCH_PATIENCE_MS) return 'late';
      const sums = sumsAt(now + to + SLACK_MS - report.age);
      const outcome = (of: string) => ({ views: 1, faults: report.faulty.includes(of) ? 1 : 0 });
      const shell: CellKey = { ...own, app: 'shell', version: apps['shell'] ?? '', build: 'live' };
      const counted = [add(sums, own, outcome(app)), add(sums, shell, outcome('shell'))];
      // The version that could not be loaded was not shown, and that is its fault.
      const live: CellKey = { ...own, version: apps[app] ?? '', build: 'live' };
      if (build === 'last-good' && stretch === 'first')
        counted.push(add(sums, live, { views: 1, faults: 1 }));
      return counted.find((result) => result !== 'counted') ?? 'counted';
    }
    case 'vitals': {
      const { lcp, inp, cls, interactive } = report;
      return add(open(), own, { measured: { lcp, inp, cls, interactive } });
    }
    case 'form':
      return add(open(), own, report.sent ? { formsSent: 1 } : { formsFailed: 1 });
    case 'faults': {
      const ours = report.faults.filter(
        (fault) => fault.app in apps && (fault.file?.startsWith(assetUrl(fault.app, '')) ?? true),
      );
      const results = ours.map((told): Result => {
        const fault = { ...told, message: storable(told.message) };
        const known = isNew(fault);
        if (known !== 'new') return known;
        const fits = open().addFault({
          ...fault,
          version: fault.app === app ? version : (apps[fault.app] ?? ''),
          route,
          ...(variant === undefined ? {} : { variant }),
        });
        return fits ? 'counted' : 'full';
      });
      return (
        results.find((result) => result === 'full') ??
        results.find((result) => result === 'counted') ??
        results[0] ??
        'counted'
      );
    }
  }
}

/** Cleaned again, for anything may be sent; and of the characters that a database or a terminal takes amiss. */
export function storable(message: string): string {
  return faultMessage(message).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
}
