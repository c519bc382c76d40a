export interface PlaceKeeper {
  /** Scrolls now and after each change of the page's height, until the visitor interacts or another place is held. */
  hold(scroll: () => void): void;
  release(): void;
  isHolding(): boolean;
}

/** A screen reader clicks and types without pointer and key events. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'input', 'resize'];

/** A part without its code has no height yet: a place below it does not exist, or moves when the code arrives. */
export function createPlaceKeeper(window: Window & Pick<typeof globalThis, 'ResizeObserver'>): PlaceKeeper {
  const { body, documentElement: page } = window.document;
  let held: (() => void) | null = null;
  /** Scroll position and page height after this keeper's last scroll. */
  let placed = { y: 0, height: 0 };

  // Missing in the unit tests' DOM.
  const observer = 'ResizeObserver' in window ? new window.ResizeObserver(place) : null;

  function place(): void {
    held?.();
    placed = { y: window.scrollY, height: page.scrollHeight };
  }

  /** Screen readers and find-in-page scroll without an input event. The browser itself scrolls when the page grows. */
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
