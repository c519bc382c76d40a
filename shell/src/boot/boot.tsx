import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { drawVariants, ROOT_ID, type BootRoute } from '@site/contract';
import { createPageLoader } from '../pages/page-loader.ts';
import { startPrefetch } from '../pages/prefetch.ts';
import { createReleaseWatch, fetchEdgeState } from '../pages/release-watch.ts';
import { createFederationLoader } from '../pages/remote-loader.ts';
import { createSiteRoutes, routeId } from '../pages/site-routes.tsx';
import { SiteApp } from '../site-app.tsx';
import { createLazyIdentity, loadIdentity } from './lazy-identity.ts';
import { readBootData } from './read-boot-data.ts';
import { installTrustedTypes } from './trusted-types.ts';
import { whenIdle } from './when-idle.ts';
import { logVersion } from './version-line.ts';

const retryDelayMs = 400;

/** Starts the site in the browser: from the document that the edge sent to a page that lives. */
export async function boot(): Promise<void> {
  const data = readBootData(document);
  logVersion(data);
  installTrustedTypes(new Set(['shell', ...data.remotes.map(({ name }) => name)]));

  const pages = createPageLoader({
    remotes: data.remotes,
    loader: createFederationLoader(data.remotes),
    delay: () => new Promise((resolve) => setTimeout(resolve, retryDelayMs)),
    log: (message, error) => {
      console.warn(message, error);
    },
  });
  const identity = createLazyIdentity(() => loadIdentity(data.config));
  const routes = createSiteRoutes({
    routes: data.routes,
    redirects: data.redirects,
    pages,
    isRevoked: createReleaseWatch({
      release: data.release,
      fetchState: fetchEdgeState,
      now: () => performance.now(),
    }),
    draw: (route) => drawVariants(route.variants),
  });

  // The one module that this URL needs is there before React starts, so that the first render is the whole page.
  const route = routeAt(data.routes, location.pathname);
  const first = route ? await pages.load(route) : undefined;
  // What stands in the document is the live build: anything else replaces it instead of hydrating it.
  const hydrates =
    route !== undefined &&
    data.rendered === route.path &&
    first?.status === 'ready' &&
    first.build === 'live';

  const router = createBrowserRouter(routes, {
    ...(route
      ? { hydrationData: { loaderData: { [routeId(route.path)]: { variants: firstVariants(route) } } } }
      : {}),
  });
  const app = (
    <SiteApp
      services={{ ...identity, config: data.config }}
      subscribeToNewsletter={identity.subscribeToNewsletter}
    >
      <RouterProvider router={router} />
    </SiteApp>
  );
  const root = document.getElementById(ROOT_ID);
  if (!root) throw new Error(`The document has no element #${ROOT_ID} to render into.`);
  if (hydrates) {
    hydrateRoot(root, app, {
      onRecoverableError(error) {
        console.error('The rendered page did not match.', error);
      },
    });
  } else {
    root.replaceChildren();
    createRoot(root).render(app);
  }

  whenIdle(() => {
    document.documentElement.dataset['interactive'] = '';
    identity.start();
    const observeLinks = startPrefetch({
      document,
      routes: data.routes,
      remotes: data.remotes,
      load: (wanted) => void pages.load(wanted),
      saveData: savesData(navigator),
    });
    observeLinks();
    router.subscribe(({ navigation }) => {
      if (navigation.state === 'idle') whenIdle(observeLinks);
    });
  });

  function firstVariants(opened: BootRoute) {
    return data.rendered === opened.path ? data.variants : drawVariants(opened.variants);
  }
}

function routeAt(routes: BootRoute[], pathname: string): BootRoute | undefined {
  const match = matchRoutes(
    routes.map(({ path }) => ({ path })),
    pathname,
  )?.[0];
  return routes.find(({ path }) => path === match?.route.path);
}

/** @see https://wicg.github.io/savedata/ */
function savesData(browser: Navigator): boolean {
  return (browser as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;
}
