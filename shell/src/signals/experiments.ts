import type { Outcomes } from '@site/contract';
import { EXPERIMENT_MS } from '@site/contract/signals/report-limits';
import type { Report, SignalView } from '@site/contract/signals/report.schema';
import type { OpenedPage } from '../navigation/navigation.ts';

interface Exposure {
  view: SignalView;
  outcomes: Outcomes;
  reached: Set<string>;
  isOpen: boolean;
}

type Outcome = Outcomes[number];

export interface Experiments {
  opened(page: OpenedPage, view: SignalView | undefined): void;
  formSent(): void;
  /** The tab is hidden or left. Whatever the visitor does afterwards counts for no variant. */
  end(): void;
}

/** Notes what the visitor does after a page with variants, and reports it once per load and page. */
export function followExperiments(page: EventTarget, send: (report: Report) => void): Experiments {
  const exposures = new Map<string, Exposure>();
  let shown: string | undefined;

  function reach(matches: (outcome: Outcome, route: string) => boolean): void {
    for (const [route, { outcomes, reached }] of exposures)
      for (const outcome of outcomes) if (matches(outcome, route)) reached.add(outcome.name);
  }

  function report(exposure: Exposure): void {
    const { view, reached, isOpen } = exposure;
    exposure.isOpen = false;
    if (isOpen) send({ kind: 'experiment', view, reached: [...reached] });
  }

  function pressed({ target }: Event): void {
    if (!(target instanceof Element)) return;
    const { outcome: name } = target.closest<HTMLElement>('[data-outcome]')?.dataset ?? {};
    const link = target.closest<HTMLAnchorElement>('a[href]');
    reach(
      (outcome, route) =>
        (outcome.on === 'press' && outcome.name === name && route === shown) ||
        (outcome.on === 'leave' && outcome.path === link?.pathname && link.origin !== location.origin),
    );
  }

  // `auxclick` is the middle button, which opens a new tab. The capture phase precedes the page's own handlers.
  for (const type of ['click', 'auxclick']) page.addEventListener(type, pressed, true);

  return {
    opened({ route: { path, outcomes } }, view) {
      shown = path;
      reach((outcome, route) => outcome.on === 'visit' && outcome.path === path && route !== path);
      if (!outcomes || !view || exposures.has(path)) return;
      const exposure: Exposure = { view, outcomes, reached: new Set(), isOpen: true };
      exposures.set(path, exposure);
      setTimeout(() => report(exposure), EXPERIMENT_MS);
    },
    formSent: () => reach(({ on }) => on === 'form'),
    end: () => exposures.forEach(report),
  };
}
