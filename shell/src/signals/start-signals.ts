import { onCLS, onINP, onLCP } from 'web-vitals';
import { LAST_VIEW, MAX_FAULTS, stretchEnds, type Stretch } from '@site/contract/signals/report-limits';
import type { Fault, Report, SignalView } from '@site/contract/signals/report.schema';
import type { Vital } from '@site/contract/signals/sums.schema';
import { variantKey } from '@site/contract/variants';
import type { Navigation, OpenedPage } from '../navigation/navigation.ts';
import type { ReleaseTable } from '../navigation/release-table.ts';
import type { PageLoader } from '../pages/page-loader.ts';
import type { Experiments } from './experiments.ts';
import type { FORM_TOLD, FormTold } from './form-told.ts';
import type { Noticed } from './noticed.ts';
import { readFault } from './read-fault.ts';
import { createSignalPost } from './signal-post.ts';

/** A typed copy: a module shared by both chunks would add a fortieth to the size of this one. */
const formTold: typeof FORM_TOLD = 'site:form';

/** Faults within this time share one report. */
const BATCH_MS = 1_000;

type Part = Report extends infer Each ? (Each extends Report ? Omit<Each, 'view'> : never) : never;

/** The data of the reports. */
export interface SignalledSite {
  table: Pick<ReleaseTable, 'remotes' | 'document'>;
  navigation: Pick<Navigation, 'get' | 'subscribe'>;
  pages: Pick<PageLoader, 'peek'>;
}

/**
 * Reports each view to the edge: its failures, the load time of the document's first page, its faults, and
 * the outcomes of variants. Nothing about the visitor. Its own chunk, which loads after hydration.
 *
 * @param kept errors from before. Errors pushed from now on are reported too.
 * @param interactive time of hydration, in milliseconds since the request.
 */
export function startSignals(
  { table: { remotes, document: reported = '' }, navigation, pages }: SignalledSite,
  kept: Noticed[],
  interactive: number,
): void {
  const post = createSignalPost(reported);
  /** Loaded once a page with outcomes opens. */
  let experiments: Experiments | undefined;
  let page: OpenedPage | null;
  let openedAt = 0;
  let open: Stretch[];
  let faulty: string[];
  let known: Set<string>;
  let faults: Fault[];
  let isBefore = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let vitals: Partial<Record<Vital, number>> | undefined = document.hidden
    ? undefined
    : { interactive: Math.round(interactive) };

  function begin(): void {
    ({ page } = navigation.get());
    // Browsers throttle hidden pages, so do not measure them.
    open = document.hidden ? [] : ['first', 'later'];
    faulty = page && pages.peek(page.route)?.status === 'failed' ? [page.route.remote] : [];
    known = new Set();
    faults = [];
    waitForStretch();
    showExperiment();
  }

  function showExperiment(): void {
    if (!page || document.hidden) return;
    if (experiments) return experiments.opened(page, view());
    if (!page.route.outcomes) return;
    import(/* webpackChunkName: "experiments" */ './experiments.ts').then(
      ({ followExperiments }) => {
        // In a request of its own: an older edge rejects all reports of a request with an unknown one.
        experiments ??= followExperiments(document, (report) => void post([report]));
        showExperiment();
      },
      () => undefined, // optional
    );
  }

  function view(): SignalView | undefined {
    if (!page || page.id > LAST_VIEW) return;
    const { route, id: number, variants } = page;
    const { path, remote: app } = route;
    const remote = remotes.get(app);
    const loaded = pages.peek(route) as Partial<Pick<SignalView, 'build'>> | undefined;
    const build = (!isBefore && loaded?.build) || 'live';
    // Each route's remote is in the release. The edge would reject a report without its version.
    const version = (build === 'live' ? remote : remote?.lastGood)?.version ?? '';
    const variant = route.variants && { variant: variantKey(variants) };
    return { number, route: path, app, version, build, ...variant };
  }

  function tell(...parts: Part[]): void {
    const of = view();
    if (of && parts[0]) void post(parts.map((part) => ({ ...part, view: of })));
  }

  function outcome(): Part[] {
    const stretch = open.shift();
    const age = Math.round(performance.now() - openedAt);
    return stretch ? [{ kind: 'outcome', stretch, age, faulty: [...new Set(faulty.splice(0))] }] : [];
  }

  function newFaults(): Part[] {
    const some = faults.splice(0);
    return some[0] ? [{ kind: 'faults', faults: some }] : [];
  }

  function waitForStretch(): void {
    clearTimeout(timer);
    const [stretch] = open;
    if (stretch)
      timer = setTimeout(
        () => {
          tell(...outcome());
          waitForStretch();
        },
        stretchEnds[stretch] + openedAt - performance.now(),
      );
  }

  /** The visitor opened another page or hid the tab: later events do not describe this page. */
  function leave(): void {
    tell(...newFaults(), ...outcome(), ...(vitals ? [{ kind: 'vitals' as const, ...vitals }] : []));
    vitals = undefined;
    open = [];
    waitForStretch();
  }

  function notice(noticed: Noticed): void {
    const fault = readFault(noticed);
    if (!fault) return;
    if (fault.kind !== 'foreign') faulty.push(fault.app);
    if (known.size < MAX_FAULTS && known.size < known.add(JSON.stringify(fault)).size) {
      if (!faults[0]) setTimeout(() => tell(...newFaults()), BATCH_MS);
      faults.push(fault);
    }
    // The view ends when a page fails to load or render: the last good build's behavior describes neither version.
    if (fault.app === page?.route.remote && ['load', 'render'].includes(fault.kind)) leave();
  }

  function measured(name: Vital, value: number): void {
    if (vitals) vitals[name] = Math.round(value);
  }

  begin();
  kept.forEach(notice);
  isBefore = false;
  kept.push = (noticed: Noticed) => {
    notice(noticed);
    return 0;
  };
  addEventListener(formTold, (event) => {
    const { detail } = event as CustomEvent<FormTold>;
    tell(detail);
    if (detail.sent) experiments?.formSent();
  });
  navigation.subscribe(() => {
    if (navigation.get().page?.id === page?.id) return;
    leave();
    openedAt = performance.now();
    begin();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return;
    leave();
    experiments?.end();
  });

  const all = { reportAllChanges: true };
  onLCP(({ value }) => measured('lcp', value), all);
  onINP(({ value }) => measured('inp', value), all);
  onCLS(({ value }) => measured('cls', value * 1_000), all);
}
