import { assetUrl, changesEveryPage } from '@site/contract';
import { engineByBrowser } from '@site/contract/signals/fault';
import { faultMessage } from '@site/contract/signals/fault-message';
import { STRETCH_PATIENCE_MS, stretches } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import type { Left } from '../limits/minute-quota.ts';
import { browserName } from './browser-name.ts';
import { dropReason } from './network-quota.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { LoadedSet } from '../releases/visitor-sets.ts';
import { experimentIn } from './served-views.ts';
import type { Addition, CellKey, Sums } from './sums.ts';
import type { Use } from './used-reports.ts';

export interface Counting {
  set: LoadedSet;
  live: LoadedRelease;
  /** Whether a canary of the view's app runs. */
  isAppTested: boolean;
  /** Whether faults and slow times of the view's app also count against the shell. */
  testsShell: boolean;
  network: number;
  /** The untrusted header `User-Agent`. */
  userAgent: unknown;
  quota: { ask(key: CellKey): Left; take(key: CellKey): Left };
  faultQuota: { ask(): Left; take(): Left };
  isNew(fault?: Fault): Use;
  open(): Sums;
  sumsAt(at: number): Sums;
  now: number;
}

type Result = 'counted' | 'late' | 'distinct' | Exclude<Use, 'new'>;

/** Delay after the end of a stretch, so that all views are counted at the same age. */
const SLACK_MS = 1_000;

interface Count {
  sums: Sums;
  key: CellKey;
  addition: Omit<Addition, 'network'>;
}

/** Checks the network's quota first, so that no network fills the shared memory. */
export function countReport(report: Report, counting: Counting): Result {
  if (report.kind === 'faults') return countFaults(report, counting);
  const { network, quota, isNew } = counting;
  const counts = reportCounts(report, counting);
  if (!counts) return 'late';
  const left = counts.map(({ key }) => quota.ask(key));
  const [short] = left.filter((may) => may !== 'allowed');
  if (short && left.every((may) => may !== 'allowed')) return dropReason(short);
  const use = isNew();
  if (use !== 'new') return use;
  const results = counts.map(({ sums, key, addition }): Result => {
    const may = quota.take(key);
    if (may !== 'allowed') return dropReason(may);
    return sums.add(key, { ...addition, network }) ? 'counted' : 'full';
  });
  return results.find((result) => result !== 'counted') ?? 'counted';
}

/**
 * Where a report counts; null if it is late. An outcome is counted at the same age of every view, regardless of when it
 * was sent. Otherwise failing pages, which users leave early, would be counted before working ones, and every new
 * version would look bad.
 */
function reportCounts(
  report: Exclude<Report, { kind: 'faults' }>,
  { set, live: { document }, isAppTested, testsShell, open, sumsAt, now, userAgent }: Counting,
): Count[] | null {
  const { apps } = set.release.document.release;
  const { app, version, route, build } = report.view;
  const stretch = report.kind === 'outcome' ? report.stretch : 'first';
  const engine = engineByBrowser[browserName(userAgent)];
  const isOwn = apps[app] !== document.release.apps[app];
  const isFrames = set.canaries.some(changesEveryPage);
  // A remote's canary and its control have the same shares of the other canaries. Without a canary of its own, the
  // remote is not judged by the views of a canary of the shell.
  const isCanarys = isOwn || (isFrames && !isAppTested);
  const own: CellKey = { app, version, route, role: isCanarys ? 'canary' : 'live', build, stretch, engine };
  const shell: CellKey = {
    ...own,
    app: 'shell',
    version: apps['shell'] ?? '',
    role: isFrames ? 'canary' : 'live',
    build: 'live',
  };
  const ofAppAndTriedShell = (addition: Count['addition']): Count[] =>
    (testsShell ? [own, shell] : [own]).map((key) => ({ sums: open(), key, addition }));

  switch (report.kind) {
    case 'outcome': {
      const { from, to } = stretches[stretch];
      if (report.age < from || report.age > to + STRETCH_PATIENCE_MS) return null;
      const sums = sumsAt(now + to + SLACK_MS - report.age);
      const isFaulty = (of: string) => report.faulty.includes(of);
      const notLoaded = build === 'last-good' && stretch === 'first';
      const outcome = (faulty: boolean) => ({ views: 1, faults: faulty ? 1 : 0 });
      const ofShell = isFaulty('shell') || (testsShell && (isFaulty(app) || notLoaded));
      const counts = [
        { sums, key: own, addition: outcome(isFaulty(app)) },
        { sums, key: shell, addition: outcome(ofShell) },
      ];
      // The fault belongs to the version that could not be loaded.
      const loaded: CellKey = { ...own, version: apps[app] ?? '', build: 'live' };
      if (notLoaded) counts.push({ sums, key: loaded, addition: outcome(true) });
      return counts;
    }
    case 'vitals': {
      const { lcp, inp, cls, interactive } = report;
      return ofAppAndTriedShell({ measured: { lcp, inp, cls, interactive } });
    }
    case 'experiment': {
      const { reached, view } = report;
      const variants = experimentIn(set.release, report) ?? '';
      const experiment = { variants, choice: view.variant ?? '', reached: new Set(reached) };
      return [{ sums: open(), key: own, addition: { experiment } }];
    }
    case 'form':
      return ofAppAndTriedShell({
        [report.sent ? 'formsSent' : report.refused ? 'formsRefused' : 'formsFailed']: 1,
      });
  }
}

function countFaults(report: Extract<Report, { kind: 'faults' }>, counting: Counting): Result {
  const { set, faultQuota, isNew, open } = counting;
  const { apps } = set.release.document.release;
  const { app, version, route, variant } = report.view;
  const browser = browserName(counting.userAgent);
  const may = faultQuota.ask();
  if (may !== 'allowed') return dropReason(may);
  const use = isNew();
  if (use !== 'new') return use;
  faultQuota.take();
  const ours = report.faults.filter(
    // A page knows nothing reliable about other apps, and its own app may be hostile to them.
    (fault) =>
      [app, 'shell'].includes(fault.app) && (fault.file?.startsWith(assetUrl(fault.app, '')) ?? true),
  );
  const results = ours.map((reported): Result => {
    const fault = { ...reported, message: storable(reported.message) };
    const known = isNew(fault);
    if (known !== 'new') return known;
    const key = {
      ...fault,
      version: fault.app === app ? version : (apps[fault.app] ?? ''),
      route,
      ...(variant === undefined ? {} : { variant }),
    };
    const fits = open().addFault(key, browser);
    return fits ? 'counted' : 'distinct';
  });
  const first = (what: Result) => results.find((result) => result === what);
  return first('full') ?? first('distinct') ?? first('counted') ?? results[0] ?? 'counted';
}

/** Sanitized again: the input is untrusted, and may contain characters that break databases or terminals. */
export function storable(message: string): string {
  return faultMessage(message).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
}
