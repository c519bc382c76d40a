import { lazy, Suspense, type ComponentType } from 'react';

/**
 * A part of a page whose code is asked for last, and which nothing waits for. In the document it stands from the start, as
 * everything else; React leaves it as it is until its code has come. For what is large, below the first view, and works or
 * can be read before.
 *
 * @param load imports the part (a default export), under a `webpackChunkName` that begins with `later-`: the build puts its
 * styles into the document.
 */
export function later(load: () => Promise<{ default: ComponentType }>): ComponentType {
  // In the first page it stands in the document, and can be read and used until its code has come, however late.
  const isThere = !isAnswering();
  const loadSurely = () => loadPatiently(load, isThere);
  // On the first page React asks for it, after everything else. Later a visitor is about to open the page.
  let soon = isThere ? null : loadSurely();
  soon?.catch(() => (soon = null));
  let boundary = createBoundary();

  /** React keeps a failure: whoever opens the page again gets another part. */
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

  // Always the same element: if a boundary that cannot be hydrated yet gets new props, React discards its server markup.
  return function Later() {
    return boundary;
  };
}

/** A network that is gone for a moment costs no page. @param forever whether it goes on until the code has come. */
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
