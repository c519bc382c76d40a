import type { Page, Request, Route } from 'playwright-core';

/** The kinds of files and calls that can be disturbed. */
export const resources = {
  page: /\/assets\/mfe-[^/]+\/[^/]+-page\.[^/]+\.js$/,
  entry: /\/assets\/mfe-[^/]+\/(?:remoteEntry|common)\.[^/]+\.js$/,
  later: /\/assets\/mfe-[^/]+\/(?:later-[^/]+\.(?:js|css)|form-checks\.[^/]+\.js)$/,
  styles: /\/assets\/mfe-[^/]+\/styles\.[^/]+\.css$/,
  identity: /\/assets\/shell\/(?:identity|search|signals|\d+)\.[^/]+\.js$/,
  shell: /\/assets\/shell\/main\.[^/]+\.js$/,
  state: /\/__site\/(?:state|search)$/,
} as const;

/** Only delayed: without these, the document has no JavaScript or does not exist. */
const REQUIRED = ['shell'];

const DELAY_MS = 600;
/** The page treats a longer request as failed. */
const PATIENCE_MS = 8_000;

/** The handling of the next requests of a kind. `hold`: no response until all disturbances end. */
export interface Disturbance {
  resource: keyof typeof resources;
  effect: 'hold' | 'delay' | 'abort' | 'unavailable';
  times: number;
}

const isTracked = (request: Request) =>
  ['document', 'script', 'stylesheet', 'fetch'].includes(request.resourceType());

/** The unsteady network of one tab. Playwright's routing disables the HTTP cache, so every file is requested again. */
export class UnsteadyNetwork {
  private disturbances: Disturbance[] = [];
  /** Ends the requests that are held. */
  private held: { pathname: string; since: number; answer: () => void }[] = [];
  private readonly unanswered = new Set<Request>();
  failed: string[] = [];

  static async of(page: Page): Promise<UnsteadyNetwork> {
    const network = new UnsteadyNetwork();
    page.on('request', (request) => {
      if (request.isNavigationRequest()) network.unanswered.clear();
      if (isTracked(request)) network.unanswered.add(request);
    });
    page.on('requestfinished', (request) => network.unanswered.delete(request));
    page.on('requestfailed', (request) => network.unanswered.delete(request));
    await page.route(/\/(?:assets|__site)\//, (route) => network.answer(route));
    return network;
  }

  disturb(disturbance: Disturbance): void {
    const effect = REQUIRED.includes(disturbance.resource) ? 'hold' : disturbance.effect;
    this.disturbances.push({ ...disturbance, effect });
  }

  /** Responds to held requests; from now on all requests succeed. */
  end(): void {
    this.disturbances = [];
    for (const { pathname, since, answer } of this.held.splice(0)) {
      if (performance.now() - since > PATIENCE_MS) this.failed.push(pathname);
      answer();
    }
  }

  isHeld(resource: keyof typeof resources): boolean {
    return this.disturbances.some((each) => each.resource === resource && each.effect === 'hold');
  }

  pending(): string[] {
    return [...this.unanswered].map((request) => request.url());
  }

  private async answer(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    const found = this.disturbances.find(
      ({ resource, times }) => times > 0 && resources[resource].test(pathname),
    );
    if (found && found.effect !== 'hold') found.times -= 1;
    if (found?.effect === 'hold')
      await new Promise<void>((answer) => this.held.push({ pathname, since: performance.now(), answer }));
    if (found?.effect === 'delay') await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    const fails = found?.effect === 'abort' || found?.effect === 'unavailable';
    if (fails) this.failed.push(pathname);
    // The document that requested it may be gone.
    await (
      found?.effect === 'abort'
        ? route.abort()
        : found?.effect === 'unavailable'
          ? route.fulfill({ status: 503 })
          : route.continue()
    ).catch(() => undefined);
  }
}
