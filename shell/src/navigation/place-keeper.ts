/** Keeps the scroll position while parts of the page are still arriving. */
export interface PlaceKeeper {
  /** Scrolls now, and again whenever the height of the page changes, until the visitor acts or another place is held. */
  hold(scroll: () => void): void;
  release(): void;
  isHolding(): boolean;
}

/** A screen reader clicks and types without pointer and keys. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'input', 'resize'];

/** A part without its code has no height yet: a place below it does not exist, or moves when the code arrives. */
export function createPlaceKeeper(window: Window & Pick<typeof globalThis, 'ResizeObserver'>): PlaceKeeper {
  const { body, documentElement: page } = window.document;
  let held: (() => void) | null = null;
  /** Scroll position and height of the page after the last scroll of this keeper. */
  let placed = { y: 0, height: 0 };

  // Not in the DOM of the unit tests.
  const observer = 'ResizeObserver' in window ? new window.ResizeObserver(place) : null;

  function place(): void {
    held?.();
    placed = { y: window.scrollY, height: page.scrollHeight };
  }

  /** A screen reader or a search in the page scrolls without an input event. When the page grows, the browser scrolls by itself. */
  function onScroll(): void {
    if (page.scrollHeight === placed.height && Math.abs(window.scrollY - placed.y) > 1) release();
  }

  function release(): void {
    if (!held) return;
    held = null;
    observer?.disconnect();
    window.removeEventListener('scroll', onScroll);
    for (const act of ACTS) window.removeEventListener(act, release, true);
  }

  return {
    hold(scroll) {
      release();
      held = scroll;
      place();
      observer?.observe(body);
      window.addEventListener('scroll', onScroll, { passive: true });
      for (const act of ACTS) window.addEventListener(act, release, { capture: true, passive: true });
    },
    release,
    isHolding: () => held !== null,
  };
}
