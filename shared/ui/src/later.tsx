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
  // A network that was gone for a moment costs no page: React would keep the failure.
  const loadSurely = () => load().catch(load);
  // On the first page React asks for it, after everything else. Later a visitor is about to open the page.
  const soon = isAnswering() ? loadSurely() : null;
  const Part = lazy(() => soon ?? loadSurely());
  return function Later() {
    return (
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    );
  };
}

function isAnswering(): boolean {
  return typeof document !== 'undefined' && 'interactive' in document.documentElement.dataset;
}
