import * as v from 'valibot';
import { SignalsSchema, type SignalsToken, type SignalView } from '@site/contract/signals/report.schema';
import { NETWORK_BITS } from '@site/contract/signals/sums.schema';
import type { CanaryShare } from '@site/contract';
import { seesCanary } from '../releases/bucket.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { canariesOf, type LoadedSet, type VisitorSets } from '../releases/visitor-sets.ts';
import { createMinuteQuota } from '../limits/minute-quota.ts';
import { browserName } from './browser-name.ts';
import { BrowserReportsSchema, reportedFault } from './browser-reports.ts';
import { countReport } from './count-report.ts';
import { createHandOver, type HandOver, type HandOverOptions } from './hand-over.ts';
import { networkQuota, dropReason, isPrivateNetwork, toSubnet } from './network-quota.ts';
import { documentKeyAt, experimentIn, showsView } from './served-views.ts';
import type { CellKey } from './sums.ts';
import { createTokens, type Tokens } from './token.ts';
import { createUsedReports } from './used-reports.ts';

export type DropReason =
  | 'malformed'
  | 'other-origin'
  | 'token'
  | 'not-served'
  | 'other-page'
  | 'other-cohort'
  | 'late'
  | 'repeated'
  | 'network'
  | 'full'
  | 'distinct'
  | 'refused';

export interface SignalsOptions extends Omit<HandOverOptions, 'onDropped'> {
  shown: Omit<VisitorSets, 'composed'>;
  /** For tests: networks count on both sides of canaries. */
  anyCohort?: boolean;
  onTaken(kind: string): void;
  onDropped(reason: DropReason): void;
}

export type SentBody = Buffer | null | 'network' | 'full';

export interface Sender {
  caller: string;
  headers: Record<string, unknown>;
}

/** Counts browser reports. Reports never cause an error, and the sender does not learn the result. */
export interface SignalCounter extends Pick<Tokens, 'useKey'>, Pick<HandOver, 'tick' | 'finish'> {
  token(caller: string, release: LoadedRelease, page: string): string | null;
  /**
   * For a page that is the same for all visitors, within the network's quota. Documents that a canary changes have
   * their own tokens: a script can request this one for any page, but not a document.
   */
  tokenFor(caller: string, page: string | undefined): SignalsToken;
  /**
   * The bucket of a visitor without one. Derived from the network, so that an owner of many networks cannot put all of
   * them into a small canary. Null for addresses of a private network, which visitors may share.
   */
  networkBucket(caller: string): number | null;
  /** See `Tokens`; here, because this has the key that all edges share. */
  previewConfirmation(linkId: string): string | null;
  take(body: SentBody, sender: Sender): void;
  takeBrowserReports(body: SentBody, sender: Sender): void;
}

/** Per network and minute: documents renew their token while open, and one network may be an office. */
const TOKENS_PER_NETWORK = 120;
const REQUESTS_PER_NETWORK = 600;
/** Per version. Limits a network to the influence of these few visitors. */
const VIEWS_PER_NETWORK = 5;
const FAULTS_PER_NETWORK = 20;
/**
 * At most six per view, and one per load with an experiment: its app and the shell in two stretches, and in vitals.
 * Enough for 56,000 views a minute from as many networks, in 5 MB.
 */
const MAX_VIEW_KEYS = 393_216;

export function createSignalCounter(options: SignalsOptions): SignalCounter {
  const { shown, onTaken, onDropped, now } = options;
  const tokens = createTokens(now);
  const handOver = createHandOver({ ...options, onDropped });
  const used = createUsedReports(now);
  const tokensAsked = networkQuota(TOKENS_PER_NETWORK, now);
  const requests = networkQuota(REQUESTS_PER_NETWORK, now);
  const faultReports = networkQuota(FAULTS_PER_NETWORK, now);
  const views = createMinuteQuota({ perKey: VIEWS_PER_NETWORK, maxKeys: MAX_VIEW_KEYS, now });

  function read(body: SentBody, { caller, headers }: Sender): unknown {
    const origin = shown.live()?.document.release.config.origin ?? null;
    if (!isSameOrigin(headers, origin)) return drop('other-origin');
    const may = requests.take(toSubnet(caller));
    if (may !== 'allowed') return drop(dropReason(may));
    if (typeof body === 'string') return drop(body);
    return (body && parsed(body)) ?? drop('malformed');
  }

  function drop(reason: DropReason): undefined {
    onDropped(reason);
  }

  /** The cheapest check, so it comes first. */
  function readToken(sent: unknown, network: string): string | null {
    const { token, document } = (sent ?? {}) as { token?: unknown; document?: unknown };
    return typeof token === 'string' && typeof document === 'string'
      ? tokens.read(token, { network, document })
      : null;
  }

  function makeToken(caller: string, release: LoadedRelease, page: string) {
    const document = documentKeyAt(release, page);
    return document === undefined ? null : tokens.make({ network: toSubnet(caller), document });
  }

  const networkBucket = (caller: string) =>
    isPrivateNetwork(caller) ? null : tokens.networkBucket(toSubnet(caller));

  /** Cookies are chosen by clients: a network counts on one side of each canary only. */
  function isInCohort(set: LoadedSet, route: string, caller: string): boolean {
    const bucket = networkBucket(caller);
    if (bucket === null || options.anyCohort) return true;
    const has = ({ release }: CanaryShare) => set.canaries.some((canary) => canary.release === release);
    return canariesOf(shown, route).every((canary) => seesCanary(bucket, canary) === has(canary));
  }

  const isTested = (app: string) => shown.canaries().some((canary) => canary.app === app);

  /** The live release comes first: views of documents that no canary changes are its. */
  function servedSets(): LoadedSet[] {
    const live = shown.live();
    return [...(live ? [{ canaries: [], release: live }] : []), ...shown.sets()];
  }

  return {
    useKey: tokens.useKey,
    tick: handOver.tick,
    finish: handOver.finish,
    token: makeToken,
    tokenFor(caller, page) {
      const live = shown.live();
      if (!live || page === undefined || canariesOf(shown, page).length > 0) return { token: null };
      if (tokensAsked.take(toSubnet(caller)) !== 'allowed') return { token: null };
      return { token: makeToken(caller, live, page) };
    },
    networkBucket,
    previewConfirmation: tokens.previewConfirmation,

    take(body, sender) {
      const sent = read(body, sender);
      if (sent === undefined) return;
      const network = toSubnet(sender.caller);
      const id = readToken(sent, network);
      if (id === null) return onDropped('token');
      const signals = v.safeParse(SignalsSchema, sent);
      if (!signals.success) return onDropped('malformed');
      const { document, reports } = signals.output;
      const bit = tokens.networkBit(network, NETWORK_BITS);
      for (const report of reports) {
        const { route } = report.view;
        const of = servedSets().find(
          ({ release }) =>
            documentKeyAt(release, route) === document &&
            showsView(release, report.view) &&
            (report.kind !== 'experiment' || experimentIn(release, report) !== null),
        );
        if (!of) {
          onDropped(isOtherPage(document, report.view) ? 'other-page' : 'not-served');
          continue;
        }
        if (!isInCohort(of, route, sender.caller)) {
          onDropped('other-cohort');
          continue;
        }
        const quotaKey = ({ app, version, stretch }: CellKey) =>
          `${network} ${report.kind} ${app} ${version} ${stretch}`;
        const result = countReport(report, {
          set: of,
          live: shown.live() ?? of.release,
          isAppTested: isTested(report.view.app),
          testsShell: isTested('shell') && !isTested(report.view.app),
          network: bit,
          userAgent: sender.headers['user-agent'],
          quota: { ask: (key) => views.ask(quotaKey(key)), take: (key) => views.take(quotaKey(key)) },
          faultQuota: { ask: () => faultReports.ask(network), take: () => faultReports.take(network) },
          isNew: (fault) =>
            fault ? used.fault(id, network, report, fault) : used.report(id, network, report),
          open: handOver.open,
          sumsAt: handOver.sumsAt,
          now: now(),
        });
        if (result === 'counted') onTaken(report.kind);
        else onDropped(result);
      }
    },

    takeBrowserReports(body, sender) {
      const sent = read(body, sender);
      if (sent === undefined) return;
      const reports = v.safeParse(BrowserReportsSchema, sent);
      if (!reports.success) return onDropped('malformed');
      const releases = servedSets().map(({ release }) => release);
      for (const report of reports.output) {
        const fault = reportedFault(report, releases);
        if (!fault) {
          onDropped('not-served');
          continue;
        }
        const may = faultReports.take(toSubnet(sender.caller));
        if (may !== 'allowed') onDropped(dropReason(may));
        else if (!handOver.open().addFault(fault, browserName(sender.headers['user-agent'])))
          onDropped('distinct');
        else onTaken('browser');
      }
    },
  };
}

/** The view's page is of another app than the document. */
function isOtherPage(document: string, { app }: SignalView): boolean {
  return !document.includes(`/${app}@`);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * By headers that pages cannot forge: another site cannot make its visitors' browsers send reports. Other programs can
 * send anything, and are limited by tokens and quotas.
 * @param origin of the site; null before the first release.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isSameOrigin(headers: Record<string, unknown>, origin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Older browsers and pages without TLS send only the origin. The request URL is less reliable: a proxy in front may
  // use another scheme, and omit the port.
  return origin !== null && headers['origin'] === origin;
}
