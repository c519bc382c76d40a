import type { ComponentType } from 'react';
import type { BootRemote, BootRoute } from '@site/contract';
import type { RemoteLoader } from './remote-loader.ts';

export type LoadedPage =
  | { status: 'ready'; component: ComponentType; build: 'live' | 'last-good' }
  | { status: 'failed'; error: unknown; fault?: string | undefined };

interface Delivered {
  component: ComponentType;
  registration: number;
}

export interface PageLoader {
  load(route: BootRoute): Promise<LoadedPage>;
  ahead(route: BootRoute, files: Promise<unknown>): void;
  peek(route: BootRoute): LoadedPage | undefined;
  fallBack(route: BootRoute, error: unknown): Promise<LoadedPage>;
  report(route: BootRoute, error: unknown): void;
  /** Clears a failure and retries everything, the live build first. */
  retry(route: BootRoute): Promise<LoadedPage>;
}

export interface PageLoaderOptions {
  /** By name. The document's only, until `complete` has loaded the others and all last good builds. */
  remotes: ReadonlyMap<string, BootRemote>;
  complete(): Promise<void>;
  loader: RemoteLoader;
  delay(): Promise<void>;
  log(message: string, error: unknown): void;
  /** A remote's live build failed. It falls back to its last good build, if any. */
  onFault(kind: 'load' | 'render', remote: string, error: unknown): void;
}

/**
 * The failure chain of a remote: live build → one retry → last good build → failed.
 *
 * After a fallback all of the remote's pages come from the last good build until the next full page load or `retry`:
 * two builds of one remote never run in parallel. The same applies to two containers of one build, because each has its
 * own modules.
 */
export function createPageLoader(options: PageLoaderOptions): PageLoader {
  const { remotes, complete, loader, delay, log, onFault } = options;
  const fallenBack = new Set<string>();
  const settled = new Map<string, LoadedPage>();
  const pending = new Map<string, Promise<LoadedPage>>();

  const registrations = new Map<string, number>();
  const delivered = new Map<string, number>();
  const registrationCounts = new Map<string, number>();
  const early = new Map<string, Promise<Delivered>>();

  async function deliver(route: BootRoute): Promise<Delivered> {
    const { remote } = route;
    const registration = registrations.get(remote) ?? 0;
    const component = await loader.load(route);
    return { component, registration };
  }

  function ready(
    { path, remote }: BootRoute,
    { component, registration }: Delivered,
    build: 'live' | 'last-good',
  ): LoadedPage {
    registrationCounts.set(path, registration);
    delivered.set(remote, Math.max(registration, delivered.get(remote) ?? 0));
    return { status: 'ready', component, build };
  }

  function isOutdated({ path, remote }: BootRoute): boolean {
    return registrationCounts.has(path) && registrationCounts.get(path) !== delivered.get(remote);
  }

  function once(route: BootRoute, attempt: () => Promise<LoadedPage>): Promise<LoadedPage> {
    const running = pending.get(route.path);
    if (running) return running;
    const started = attempt()
      .then((page) => {
        settled.set(route.path, page);
        return page;
      })
      .finally(() => pending.delete(route.path));
    pending.set(route.path, started);
    return started;
  }

  async function loadLive(route: BootRoute): Promise<LoadedPage> {
    try {
      return ready(route, await (early.get(route.path) ?? deliver(route)), 'live');
    } catch (first) {
      log(`${route.remote} failed on ${route.path}; retrying.`, first);
      await delay();
      try {
        reregister(route.remote, 'live');
        return ready(route, await deliver(route), 'live');
      } catch (second) {
        return loadLastGood(route, second);
      }
    }
  }

  async function loadLastGood(
    route: BootRoute,
    error: unknown,
    kind: 'load' | 'render' = 'load',
  ): Promise<LoadedPage> {
    if (!fallenBack.has(route.remote)) onFault(kind, route.remote, error);
    await complete();
    const { lastGood, dev } = remotes.get(route.remote) ?? {};
    if (!lastGood) {
      log(`${route.remote} failed on ${route.path}.`, error);
      return { status: 'failed', error, fault: dev && String(error) };
    }
    if (!fallenBack.has(route.remote)) {
      log(`${route.remote} failed on ${route.path}; using its last good version ${lastGood.version}.`, error);
      fallenBack.add(route.remote);
      reregister(route.remote, 'last-good');
    }
    try {
      return ready(route, await deliver(route), 'last-good');
    } catch (lastError) {
      log(`${route.remote} failed on ${route.path} in its last good version too.`, lastError);
      return { status: 'failed', error: lastError };
    }
  }

  function reregister(name: string, build: 'live' | 'last-good'): void {
    const remote = remotes.get(name);
    const chosen = build === 'live' ? remote : remote?.lastGood;
    early.clear();
    registrations.set(name, (registrations.get(name) ?? 0) + 1);
    if (chosen) loader.use(name, chosen);
  }

  return {
    load(route) {
      const known = settled.get(route.path);
      if (known?.status === 'ready' && !isOutdated(route)) return Promise.resolve(known);
      return once(route, () => (fallenBack.has(route.remote) ? loadLastGood(route, known) : loadLive(route)));
    },
    ahead(route, files) {
      const { path } = route;
      if (pending.has(path) || early.has(path) || (settled.has(path) && !isOutdated(route))) return;
      const loading = files.then(() => deliver(route));
      early.set(path, loading);
      loading.catch(() => undefined);
    },
    peek: (route) => settled.get(route.path),
    fallBack: (route, error) => once(route, () => loadLastGood(route, error, 'render')),
    report: ({ remote }, error) => onFault('render', remote, error),
    async retry(route) {
      // Wait for an attempt of an earlier click: its result would count as this one's.
      await pending.get(route.path);
      return once(route, () => {
        if (fallenBack.delete(route.remote)) reregister(route.remote, 'live');
        return loadLive(route);
      });
    },
  };
}
