import { lazy, Suspense, type ComponentType } from 'react';

/**
 * A part of a page with lazy, non-blocking code. The document contains its markup from the start, and React leaves the
 * markup unchanged until the code arrives. For large parts below the fold that are useful before hydration.
 *
 * @param load imports the part (a default export), under a `webpackChunkName` that begins with `later-`: the build puts
 * its styles into the document.
 */
export function later(load: () => Promise<{ default: ComponentType }>): ComponentType {
  // On the first page the markup is in the document and remains usable until the code arrives, even if late.
  const isThere = !isAnswering();
  const loadSurely = () => loadPatiently(load, isThere);
  // On the first page React requests it after everything else. Later, the visitor is about to open the page.
  let soon = isThere ? null : loadSurely();
  soon?.catch(() => (soon = null));
  let boundary = createBoundary();

  /** React caches a failure, so the next visit of the page needs a new lazy component. */
  function createBoundary() {
    const Part = lazy(() => {
      const coming = soon ?? loadSurely();
      coming.catch(() => (boundary = createBoundary()));
      return coming;
    });
    return (
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    );
  }

  // Always the same element: if a boundary that cannot be hydrated yet gets new props, React discards its server
  // markup.
  return function Later() {
    return boundary;
  };
}

/** A short network outage must not break a page. @param forever whether to retry until the code arrives. */
async function loadPatiently<T>(load: () => Promise<T>, forever: boolean): Promise<T> {
  for (let waited = 500; ; waited *= 2) {
    try {
      return await load();
    } catch (error) {
      if (!forever && waited > 2_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waited, 60_000)));
    }
  }
}

function isAnswering(): boolean {
  return typeof document !== 'undefined' && 'interactive' in document.documentElement.dataset;
}
