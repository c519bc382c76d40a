import { startTransition, useEffect, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { drawVariants, ROOT_ID } from '@site/contract';
import { SectionFaultContext } from '@site/kit/host';
import { createNavigation } from '../navigation/navigation.ts';
import { createReleaseTable, type ReleaseTable } from '../navigation/release-table.ts';
import { createScrollMemory } from '../navigation/scroll-memory.ts';
import { SiteRouter } from '../navigation/site-router.tsx';
import { changePage } from '../navigation/change-page.ts';
import { createPageLoader, type PageLoader } from '../pages/page-loader.ts';
import { storageIfAllowed } from '../identity/storage-if-allowed.ts';
import type { Noticed } from '../signals/noticed.ts';
import type { ReleaseWatch } from '../pages/release-watch.ts';
import { createFederationLoader } from '../pages/remote-loader.ts';
import { SiteApp } from '../site-app.tsx';
import { createLazyIdentity, loadIdentity } from './lazy-identity.ts';
import { readBootData } from './read-boot-data.ts';
import { isAsSent, keepTyped, pageProblemKind } from './sent-document.ts';
import { installTrustedTypes } from './trusted-types.ts';
import { whenIdle } from './when-idle.ts';
import { logVersion } from './version-line.ts';

const RETRY_DELAY_MS = 400;

export async function boot(noticed: Noticed[]): Promise<void> {
  const data = readBootData(document);
  logVersion(data);
  const table = createReleaseTable(data);
  installTrustedTypes({ shellScripts: data.shellScripts, remotes: table.remotes });

  const notice = (kind: 'load' | 'render' | 'hydration', app: string, error: unknown) =>
    noticed.push([pageProblemKind(kind, error), app, error]);
  const pages = createPageLoader({
    remotes: table.remotes,
    complete: table.complete,
    loader: createFederationLoader(table.remotes),
    delay: () => new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS)),
    log: (message, error) => {
      console.warn(message, error);
    },
    onFault: notice,
  });
  const identity = createLazyIdentity((outbox) => loadIdentity(data.config, outbox));
  // Load the URL's page module before React starts, so that the first render is the whole page.
  const entry = new URL(location.href);
  const { route, first } = await loadOpened(table, pages);
  // The document contains the live build. Any other build replaces it instead of hydrating it.
  const hydrates =
    route !== undefined &&
    data.rendered === route.path &&
    first?.status === 'ready' &&
    first.build === 'live';

  const isFresh = performance.getEntriesByType('navigation')[0]?.type !== 'back_forward';
  let watch: ReleaseWatch | undefined;
  const storage = storageIfAllowed('sessionStorage');
  const navigation = createNavigation({
    window,
    table,
    scroll: createScrollMemory(storage),
    load: pages.load,
    // Until its code has loaded, a document from the browser's cache is left.
    isRevoked: async () => watch?.isRevoked() ?? !isFresh,
    draw: ({ variants }) => drawVariants(variants),
    change: changePage,
    onPending: (isPending) => {
      document.documentElement.toggleAttribute('data-navigating', isPending);
    },
    firstVariants: data.rendered === route?.path ? data.variants : undefined,
  });
  const site = { data, table, pages, storage, navigation, isFresh };
  const app = (
    <SiteApp
      services={{ ...identity, config: data.config }}
      subscribeToNewsletter={identity.subscribeToNewsletter}
    >
      <SiteRouter navigation={navigation} pages={pages} />
    </SiteApp>
  );
  const root = document.getElementById(ROOT_ID);
  if (!root) throw new Error(`The document has no #${ROOT_ID}.`);
  const onStart = () => {
    // From here React handles events: it hydrates the target of an interaction first.
    document.documentElement.dataset['interactive'] = '';
    const interactive = performance.now();
    whenIdle(() => followUp(interactive));
  };
  const started = (
    <SectionFaultContext value={(error) => notice('render', 'shell', error)}>
      <Started onStart={onStart}>{app}</Started>
    </SectionFaultContext>
  );
  keepTyped(root);
  if (hydrates) {
    if (!isAsSent(root)) document.documentElement.dataset['changed'] = '';
    // In a transition React hydrates in slices of a few milliseconds and stays responsive in between.
    startTransition(() => {
      hydrateRoot(root, started, {
        onRecoverableError(error) {
          console.error('The rendered page did not match.', error);
          notice('hydration', route.remote, error);
        },
      });
    });
  } else {
    root.replaceChildren();
    createRoot(root).render(started);
  }

  /** Deferred until the page is hydrated and interactive. */
  function followUp(interactive: number): void {
    identity.start();
    const mayFetchMore = !savesData(navigator);
    // In the identity's chunk.
    import(/* webpackChunkName: "identity" */ './follow-up.ts').then(
      ({ listen, prepareClicks }) => {
        watch = listen(site, entry.search);
        if (mayFetchMore) void prepareClicks(site, watch, route);
      },
      () => undefined, // links, the sign-up and the search work without it
    );
    if (mayFetchMore && !(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl)
      tellSignals(interactive);
  }

  function tellSignals(interactive: number): void {
    import(/* webpackChunkName: "signals" */ '../signals/start-signals.ts').then(
      ({ startSignals }) => {
        startSignals(site, noticed, interactive);
      },
      () => undefined, // optional
    );
  }
}

/** Loads the URL's page, or the latest one if the visitor goes back or forward during the load. */
async function loadOpened(table: ReleaseTable, pages: PageLoader) {
  for (;;) {
    const { href } = location;
    const address = new URL(href);
    if (!table.resolve(address).route) await table.complete();
    const { route } = table.resolve(address);
    const first = route && (await pages.load(route));
    if (location.href === href) return { route, first };
  }
}

/** Reports the end of hydration: effects run once the whole tree is hydrated. */
function Started({ onStart, children }: { onStart(): void; children: ReactNode }) {
  useEffect(() => {
    onStart();
  }, [onStart]);
  return children;
}

/** @see https://wicg.github.io/savedata/ */
function savesData(browser: Navigator): boolean {
  return (browser as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;
}
