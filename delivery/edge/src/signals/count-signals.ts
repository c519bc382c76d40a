import * as v from 'valibot';
import { SignalsSchema, type SignalsToken } from '@site/contract/signals/report.schema';
import { NETWORK_BITS } from '@site/contract/signals/sums.schema';
import { createMinuteQuota } from '../limits/minute-quota.ts';
import { browserName } from './browser-name.ts';
import { BrowserReportsSchema, faultOf } from './browser-reports.ts';
import { countReport } from './count-report.ts';
import { createHandOver, type HandOver, type HandOverOptions } from './hand-over.ts';
import { networkQuota, shortOf } from './network-quota.ts';
import { isSameOrigin } from './same-origin.ts';
import { shellIsTriedBy, showsView, type ReleaseShown } from './served-views.ts';
import type { CellKey } from './sums.ts';
import { createTokens, type Tokens } from './token.ts';
import { createUsedReports } from './used-reports.ts';
import { wideNetwork } from './wide-network.ts';

/** Why something that was sent is not counted. */
export type DropReason =
  /** There is no such request: too large, or not what the schema says. */
  | 'malformed'
  | 'other-origin'
  /** Forged, ended, or of another site. */
  | 'token'
  /** Of a release, a page or a version that is not served here now. */
  | 'not-served'
  /** Long after its stretch: a machine that slept tells nothing of how a page works. */
  | 'late'
  | 'repeated'
  /** One network has had its share. */
  | 'network'
  /** There is no room, and so the guard does not see everything. */
  | 'full'
  /** More different faults than one batch holds. Nothing that is judged is missing. */
  | 'distinct'
  /** The registry does not take it. */
  | 'refused';

export interface SignalsOptions extends Omit<HandOverOptions, 'onDropped'> {
  shown(): readonly ReleaseShown[];
  onTaken(kind: string): void;
  onDropped(reason: DropReason): void;
}

/** What came with a request; null when it could not be read, else why it was not. */
export type SentBody = Buffer | null | 'network' | 'full';

/** Where a request comes from. */
export interface Sender {
  /** As `networkOf` gives it. */
  caller: string;
  headers: Record<string, unknown>;
}

/** Counts what browsers tell. Nothing that is sent here makes anything throw, or tells its sender what became of it. */
export interface SignalCounter
  extends Pick<Tokens, 'useKey'>, Pick<HandOver, 'tick' | 'finish' | 'registryTakes'> {
  /** A token for a document that is about to be sent. */
  token(): string | null;
  /** A token for each view that asks for one, unless its network has asked too often. */
  tokenFor(caller: string): SignalsToken;
  /** What the shell sends. */
  take(body: SentBody, sender: Sender): void;
  /** What browsers send by themselves. */
  takeBrowserReports(body: SentBody, sender: Sender): void;
}

/** Of one network in a minute: documents that are open longer ask again, and one network may be an office. */
const TOKENS_PER_NETWORK = 120;
const REQUESTS_PER_NETWORK = 600;
/** Of a version. More visitors than these few never speak for one network, whatever they tell. */
const VIEWS_PER_NETWORK = 5;
const FAULTS_PER_NETWORK = 20;
/** Six for each view at most: its app and the shell in two stretches, and in vitals. 60,000 views a minute of as many networks fit, in 5 MB. */
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
    const origin = shown()[0]?.release.document.release.config.origin ?? null;
    if (!isSameOrigin(headers, origin)) return drop('other-origin');
    const may = requests.take(wideNetwork(caller));
    if (may !== 'allowed') return drop(shortOf(may));
    if (typeof body === 'string') return drop(body);
    return (body && parsed(body)) ?? drop('malformed');
  }

  /** Nothing, and says why. */
  function drop(reason: DropReason): undefined {
    onDropped(reason);
  }

  /** Before anything else of a request is looked at, for it costs least. */
  function idOf(sent: unknown): string | null {
    const token = (sent as { token?: unknown } | null)?.token;
    return typeof token === 'string' ? tokens.read(token) : null;
  }

  return {
    useKey: tokens.useKey,
    tick: handOver.tick,
    finish: handOver.finish,
    registryTakes: handOver.registryTakes,
    token: tokens.make,
    tokenFor: (caller) => ({
      token: tokensAsked.take(wideNetwork(caller)) === 'allowed' ? tokens.make() : null,
    }),

    take(body, sender) {
      const sent = read(body, sender);
      if (sent === undefined) return;
      const id = idOf(sent);
      if (id === null) return onDropped('token');
      const signals = v.safeParse(SignalsSchema, sent);
      if (!signals.success) return onDropped('malformed');
      const { release, reports } = signals.output;
      const of = shown().find((one) => one.release.id === release);
      const network = wideNetwork(sender.caller);
      const bit = tokens.networkBit(network, NETWORK_BITS);
      for (const report of reports) {
        if (!of || !showsView(of.release, report.view)) {
          onDropped('not-served');
          continue;
        }
        const keyOf = ({ app, version, stretch }: CellKey) =>
          `${network} ${report.kind} ${app} ${version} ${stretch}`;
        const result = countReport(report, {
          shown: of,
          triesShell: shellIsTriedBy(shown(), report.view.app),
          network: bit,
          userAgent: sender.headers['user-agent'],
          quota: { ask: (key) => views.ask(keyOf(key)), take: (key) => views.take(keyOf(key)) },
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
      const releases = shown().map(({ release }) => release);
      for (const report of reports.output) {
        const fault = faultOf(report, releases);
        if (!fault) {
          onDropped('not-served');
          continue;
        }
        const may = faultReports.take(wideNetwork(sender.caller));
        if (may !== 'allowed') onDropped(shortOf(may));
        else if (!handOver.open().addFault(fault, browserName(sender.headers['user-agent'])))
          onDropped('distinct');
        else onTaken('browser');
      }
    },
  };
}

/** Undefined if the text is not JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
