import { NavigationType, type Navigator, type Path, type To } from 'react-router-dom';
import type { BootRoute, VariantChoice } from '@site/contract';
import type { ReleaseTable } from './release-table.ts';
import type { ScrollMemory } from './scroll-memory.ts';

/** One opening of a page. Opening it again later is another one, with its own draw of variants. */
export interface OpenedPage {
  id: number;
  route: BootRoute;
  variants: VariantChoice;
  /** Whether the visitor comes to its beginning, from another page. */
  fromTop: boolean;
}

/** Where the visitor is. `location` and `action` are react-router's. */
export interface NavigationState {
  location: Path & { state: unknown; key: string };
  action: NavigationType;
  page: OpenedPage | null;
}

/** What react-router's `<Router>` and the shell's page need to know, and what moves the visitor. */
export interface Navigation {
  get(): NavigationState;
  subscribe(listener: () => void): () => void;
  /** For `<Router navigator>`: every Link and `navigate()` of the site ends here. */
  navigator: Navigator;
}

export interface NavigationOptions {
  window: Window;
  table: Pick<ReleaseTable, 'resolve' | 'complete'>;
  scroll: ScrollMemory;
  /** Brings the page's code. Never rejects. */
  load(route: BootRoute): Promise<unknown>;
  /** True when this navigation must leave the release (see `createReleaseWatch`). */
  isRevoked(): Promise<boolean>;
  draw(route: BootRoute): VariantChoice;
  /**
   * Runs `update`, which changes the page, and `arrive` as soon as the new page stands in the document. `fromTop`: the visitor
   * comes to its beginning.
   */
  change(update: () => void, arrive: () => void, fromTop: boolean): void;
  /** A page's code is on its way, or no longer: so that the visitor sees that the click was taken. */
  onPending(isPending: boolean): void;
  /** The variants of the page that stands rendered in the document. */
  firstVariants?: VariantChoice | undefined;
}

interface HistoryState {
  key?: string;
  state?: unknown;
}

interface Move {
  action: NavigationType;
  key: string;
  state: unknown;
  keepScroll: boolean;
}

/**
 * Moves the visitor from page to page without a reload.
 *
 * The order of a navigation: redirects are followed (which may need the rest of the release's table), the page's code is
 * brought, and only then do address and page change, together. Whether this release was revoked is asked meanwhile: then
 * the document is left at once. A click while another navigation is under way replaces it.
 */
export function createNavigation(options: NavigationOptions): Navigation {
  const { window, table, scroll, load, isRevoked, draw, change, onPending } = options;
  const { history, location: address } = window;
  const listeners = new Set<() => void>();
  let opened = 0;
  let sequence = 0;

  history.scrollRestoration = 'manual';
  let current = firstState();

  /** What is kept with the entry of the history. One that the browser made (a link to an anchor) gets a key, to be known again by. */
  function readEntry(): Required<HistoryState> {
    const { key = newKey(), state = null } = (history.state ?? {}) as HistoryState;
    history.replaceState({ key, state }, '');
    return { key, state };
  }

  function firstState(): NavigationState {
    const { url, route } = table.resolve(new URL(address.href));
    const { key, state } = readEntry();
    const variants = route && (options.firstVariants ?? draw(route));
    return {
      location: locationOf(url, key, state),
      action: NavigationType.Pop,
      page: route && variants ? { id: opened, route, variants, fromTop: false } : null,
    };
  }

  async function move(asked: URL, next: Move): Promise<void> {
    const turn = (sequence += 1);
    let found = table.resolve(asked);
    if (!found.route) {
      onPending(true);
      await table.complete();
      if (turn !== sequence) return;
      found = table.resolve(asked);
    }
    const { url, route } = found;
    if (!route) {
      onPending(false);
      return leaveFor(url);
    }
    const isOtherPage = route !== current.page?.route;
    if (isOtherPage) {
      onPending(true);
      // Both at once; but the code of a release that was revoked is not waited for.
      const loaded = load(route);
      const revoked = (await isRevoked()) || (await loaded, false);
      if (turn !== sequence) return;
      if (revoked) return leaveFor(url);
    }
    onPending(false);
    rememberScroll();
    const fromTop = isOtherPage && !next.keepScroll && next.action !== NavigationType.Pop && !url.hash;
    const update = () => {
      writeHistory(url, asked, next);
      // Opening the page that is open already shows it from the top, but does not draw it again.
      const page = isOtherPage ? { id: (opened += 1), route, variants: draw(route), fromTop } : current.page;
      current = { location: locationOf(url, next.key, next.state), action: next.action, page };
      for (const listener of listeners) listener();
    };
    change(
      update,
      () => {
        if (!next.keepScroll) scrollTo(url, next);
      },
      fromTop,
    );
  }

  function leaveFor(url: URL): void {
    // An address that is there already (back and forward) would be taken for a jump to its anchor.
    if (url.href === address.href) address.reload();
    else address.assign(url);
  }

  function writeHistory(url: URL, asked: URL, { action, key, state }: Move): void {
    const written: HistoryState = { key, state };
    if (action === NavigationType.Push) history.pushState(written, '', url);
    else if (action === NavigationType.Replace || url !== asked) history.replaceState(written, '', url);
  }

  function scrollTo(url: URL, { action, key }: Move): void {
    const remembered = action === NavigationType.Pop ? scroll.find(key) : undefined;
    const anchor = url.hash ? window.document.getElementById(decodeHash(url.hash)) : null;
    if (remembered !== undefined) window.scrollTo({ top: remembered, behavior: 'instant' });
    else if (anchor) anchor.scrollIntoView({ behavior: 'instant' });
    else window.scrollTo({ top: 0, behavior: 'instant' });
  }

  function rememberScroll(): void {
    scroll.save(current.location.key, window.scrollY);
  }

  const urlOf = (to: To) => new URL(typeof to === 'string' ? to : pathText(to), address.href);

  const moveBy =
    (action: NavigationType): Navigator['push'] =>
    (to, state: unknown, { preventScrollReset = false } = {}) =>
      void move(urlOf(to), { action, key: newKey(), state, keepScroll: preventScrollReset });

  window.addEventListener('popstate', () => {
    const { key, state } = readEntry();
    void move(new URL(address.href), { action: NavigationType.Pop, key, state, keepScroll: false });
  });
  window.addEventListener('pagehide', rememberScroll);
  // The browser brings back the document as it was left: with a navigation under way, which has ended elsewhere.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onPending(false);
  });
  const remembered = scroll.find(current.location.key);
  // A reload comes back to where the visitor was; an address with an anchor was scrolled to by the browser already.
  if (remembered !== undefined) window.scrollTo({ top: remembered, behavior: 'instant' });

  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    navigator: {
      createHref: (to) => (typeof to === 'string' ? to : pathText(to)),
      go: (delta) => history.go(delta),
      push: moveBy(NavigationType.Push),
      replace: moveBy(NavigationType.Replace),
    },
  };
}

/** A state that never changes: for rendering ahead of time. */
export function createStillNavigation(route: BootRoute, variants: VariantChoice, origin: string): Navigation {
  const state: NavigationState = {
    location: locationOf(new URL(route.path, origin), 'default', null),
    action: NavigationType.Pop,
    page: { id: 0, route, variants, fromTop: false },
  };
  const nowhere = () => {
    throw new Error('There is nowhere to go while a page is rendered ahead of time.');
  };
  return {
    get: () => state,
    subscribe: () => () => undefined,
    navigator: {
      createHref: (to) => (typeof to === 'string' ? to : pathText(to)),
      go: nowhere,
      push: nowhere,
      replace: nowhere,
    },
  };
}

function locationOf(
  { pathname, search, hash }: URL,
  key: string,
  state: unknown,
): NavigationState['location'] {
  return { pathname, search, hash, key, state };
}

function pathText({ pathname = '', search = '', hash = '' }: Partial<Path>): string {
  return pathname + search + hash;
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10);
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
