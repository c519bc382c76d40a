import type { Report, Signals, SignalView } from '@site/contract/signals/report.schema';
import type { Cell, EdgeSums } from '@site/contract/signals/sums.schema';
import { createSecret } from '@site/server/secrets';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { createSignalCounter, type SignalCounter, type SignalsOptions } from '../signals/count-signals.ts';
import { documentKeyAt } from '../signals/served-views.ts';
import type { VisitorSets } from '../releases/visitor-sets.ts';
import { createMemoryStore } from './memory-store.ts';
import { createSampleRelease } from './sample-release.ts';

/** A signal counter with a test clock and a recording registry, over two sample releases: r1 is live, r2 a canary. */
export interface SignalHarness {
  counter: SignalCounter;
  batches: EdgeSums[];
  taken: Record<string, number>;
  dropped: Record<string, number>;
  pass(ms: number): void;
  view(changes?: Partial<SignalView>): SignalView;
  canaryVersion: string;
  shellVersion: string;
  shown: Omit<VisitorSets, 'composed'>;
  homeVersion: string;
  /** A token of a document: of /blocks in r1, requested from 192.0.2.1. */
  token(changes?: { caller?: string; release?: string; page?: string }): string;
  /** Sends reports as the shell does: with a new token of their page unless one is given. */
  send(
    reports: Report[],
    sent?: Partial<Signals> & { caller?: string; userAgent?: string; release?: string },
  ): void;
  /** The key of a document. */
  key(changes?: { release?: string; page?: string }): string;
  /** Sends everything that is pending and sums all batches: the cells of an app. */
  cells(app: string): Promise<Cell[]>;
}

export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

export interface SignalHarnessOptions extends Partial<SignalsOptions> {
  /** The apps that the canary changes. */
  tried?: string[];
  share?: number;
}

export function createSignalHarness({
  tried = ['mfe-blocks'],
  share,
  ...overrides
}: SignalHarnessOptions = {}): SignalHarness {
  const store = createMemoryStore();
  const live = createSampleRelease(store, { id: 'r1' });
  const canary = createSampleRelease(store, {
    id: 'r2',
    editions: Object.fromEntries(tried.map((app) => [app, 'two'])),
    lastGoodSource: live,
  });
  const loaded = (document: typeof live) =>
    ({
      id: document.release.id,
      document,
      assets: new Map(),
      pages: new Map(
        Object.values(document.manifests).flatMap((manifest) =>
          manifest.kind === 'remote' ? manifest.pages.map(({ path }) => [path, { app: manifest.app }]) : [],
        ),
      ),
    }) as unknown as LoadedRelease;
  const batches: EdgeSums[] = [];
  const counts = () => {
    const seen: Record<string, number> = {};
    return { seen, add: (name: string) => void (seen[name] = (seen[name] ?? 0) + 1) };
  };
  const [taken, dropped] = [counts(), counts()];
  const [loadedLive, loadedCanary] = [loaded(live), loaded(canary)];
  const canaries = tried.map((app, index) => ({
    release: `r${index + 2}`,
    app,
    share: share ?? 10,
  }));
  const shown = {
    live: () => loadedLive,
    canaries: () => canaries,
    sets: () => [{ canaries, release: loadedCanary }],
  };
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const counter = createSignalCounter({
    channel: 'production',
    shown,
    anyCohort: share === undefined,
    tell: (sums) => {
      batches.push(sums);
      return Promise.resolve();
    },
    isRefusal: () => false,
    onTaken: taken.add,
    onDropped: dropped.add,
    now: () => clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...overrides,
  });
  counter.useKey(createSecret());

  const releaseOf = (id: string) => (id === 'r2' ? loadedCanary : loadedLive);

  const token: SignalHarness['token'] = ({ caller = '192.0.2.1', release = 'r1', page = '/blocks' } = {}) =>
    counter.token(caller, releaseOf(release), page) ?? counter.token(caller, loadedLive, '/blocks') ?? '';

  const key: SignalHarness['key'] = ({ release = 'r1', page = '/blocks' } = {}) => {
    const found = releaseOf(release);
    return documentKeyAt(found, page) ?? documentKeyAt(found, '/blocks') ?? '';
  };

  return {
    counter,
    batches,
    taken: taken.seen,
    dropped: dropped.seen,
    pass: (ms) => void (clock += ms),
    canaryVersion: canary.release.apps['mfe-blocks'] ?? '',
    shellVersion: live.release.apps['shell'] ?? '',
    homeVersion: live.release.apps['mfe-marketing'] ?? '',
    view: (changes) => ({
      number: 0,
      route: '/blocks',
      app: 'mfe-blocks',
      version: live.release.apps['mfe-blocks'] ?? '',
      build: 'live',
      ...changes,
    }),
    shown,
    token,
    key,
    send(reports, { caller = '192.0.2.1', userAgent, release = 'r1', ...sent } = {}) {
      const page = reports[0]?.view.route ?? '';
      const body = {
        token: token({ caller, release, page }),
        document: key({ release, page }),
        reports,
        ...sent,
      };
      counter.take(Buffer.from(JSON.stringify(body)), {
        caller,
        headers: { ...sameOrigin, 'user-agent': userAgent },
      });
    },
    async cells(app) {
      clock += 60_000;
      await counter.tick();
      return batches.flatMap(({ cells }) => cells).filter((cell) => cell.app === app);
    },
  };
}

/** The outcome of a view that was open for the whole first interval. */
export function outcome(view: SignalView, faulty: string[] = []): Report {
  return { kind: 'outcome', view, stretch: 'first', age: 5_000, faulty };
}
