import { NavigationType, type Navigator, type Path, type To } from 'react-router-dom';
import type { BootRoute, VariantChoice } from '@site/contract';
import type { RouterStore } from '@site/kit/host';
import { deferLayout } from '../layout/defer-layout.ts';
import type { PlaceKeeper } from './place-keeper.ts';
import type { ReleaseTable } from './release-table.ts';
import type { ScrollMemory } from './scroll-memory.ts';

export interface OpenedPage {
  id: number;
  route: BootRoute;
  variants: VariantChoice;
  fromTop: boolean;
}

export type Arrival = 'same-page' | 'page-top' | 'page-place';

export interface NavigationState {
  location: Path & { state: unknown; key: string };
  action: NavigationType;
  page: OpenedPage | null;
}

export interface Navigation extends RouterStore {
  get(): NavigationState;
  subscribe(listener: () => void): () => void;
  navigator: Navigator;
  keepPlaces(keeper: PlaceKeeper): void;
}

export interface NavigationOptions {
  window: Window;
  table: Pick<ReleaseTable, 'resolve' | 'complete'>;
  scroll: ScrollMemory;
  load(route: BootRoute): Promise<unknown>;
  isRevoked(): Promise<boolean>;
  draw(route: BootRoute): VariantChoice;
  change(update: () => void, arrive: () => void, arrival: Arrival): void;
  onPending(isPending: boolean): void;
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
 * Client-side navigation.
 *
 * A navigation follows redirects (which may need the rest of the release's table), loads the page's code, and then
 * changes URL and page together. In parallel it checks whether this release was revoked: if so, it leaves the document
 * immediately. A click replaces a pending navigation. A query change of the open page does not, because a timer may
 * have caused it.
 */
export function createNavigation(options: NavigationOptions): Navigation {
  const { window, table, scroll, load, isRevoked, draw, change, onPending } = options;
  const { history, location: address } = window;
  const listeners = new Set<() => void>();
  const choices = new Map<BootRoute, VariantChoice>();
  let opened = 0;
  let sequence = 0;
  let pending: Move | null = null;
  let place: Pick<PlaceKeeper, 'hold'> & Partial<PlaceKeeper> = { hold: (scroll) => scroll() };

  history.scrollRestoration = 'manual';
  let current = firstState();

  /**
   * The state of the history entry. An entry that the browser created (a link to an anchor) gets a key, to identify it
   * later.
   */
  function readEntry(): Required<HistoryState> {
    const { key = newKey(), state = null } = (history.state ?? {}) as HistoryState;
    history.replaceState({ key, state }, '');
    return { key, state };
  }

  function firstState(): NavigationState {
    const { url, route } = table.resolve(new URL(address.href));
    const { key, state } = readEntry();
    if (route && options.firstVariants) choices.set(route, options.firstVariants);
    return {
      location: toLocation(url, key, state),
      action: NavigationType.Pop,
      page: route ? { id: opened, route, variants: choose(route), fromTop: false } : null,
    };
  }

  function choose(route: BootRoute): VariantChoice {
    const choice = choices.get(route) ?? draw(route);
    choices.set(route, choice);
    return choice;
  }

  async function move(asked: URL, next: Move): Promise<void> {
    let found = table.resolve(asked);
    if (pending && isQueryChange(next) && found.route && found.route === current.page?.route) {
      // During back or forward, the history is already at the other page's entry.
      if (pending.action !== NavigationType.Pop) show({ url: found.url, route: found.route }, asked, next);
      return;
    }
    const turn = (sequence += 1);
    pending = next;
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
      // In parallel, but do not wait for the code of a revoked release.
      const loaded = load(route);
      const revoked = (await isRevoked()) || (await loaded, false);
      if (turn !== sequence) return;
      if (revoked) return leaveFor(url);
    }
    pending = null;
    onPending(false);
    show({ url, route }, asked, next);
  }

  function show({ url, route }: { url: URL; route: BootRoute }, asked: URL, next: Move): void {
    rememberScroll();
    const isOtherPage = route !== current.page?.route;
    const fromTop = isOtherPage && !next.keepScroll && next.action !== NavigationType.Pop && !url.hash;
    if (isOtherPage) place.release?.();
    const update = () => {
      writeHistory(url, asked, next);
      const page = isOtherPage
        ? { id: (opened += 1), route, variants: choose(route), fromTop }
        : current.page;
      current = { location: toLocation(url, next.key, next.state), action: next.action, page };
      for (const listener of listeners) listener();
    };
    const arrive = () => {
      if (!next.keepScroll) scrollTo(url, next);
    };
    const otherPage = fromTop ? 'page-top' : 'page-place';
    change(update, arrive, isOtherPage ? otherPage : 'same-page');
  }

  function leaveFor(url: URL): void {
    // `assign` with the current URL (back and forward) would be a jump to its anchor.
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
    if (remembered !== undefined) place.hold(() => jumpTo(remembered));
    else if (url.hash) place.hold(() => scrollToAnchor(url) || jumpTo(0));
    else {
      place.release?.();
      jumpTo(0);
    }
  }

  function jumpTo(top: number): void {
    window.scrollTo({ top, behavior: 'instant' });
  }

  /** @returns whether the anchor exists. */
  function scrollToAnchor({ hash }: Pick<URL, 'hash'>): boolean {
    const anchor = hash ? window.document.getElementById(decodeHash(hash)) : null;
    anchor?.scrollIntoView({ behavior: 'instant' });
    return anchor !== null;
  }

  function rememberScroll(): void {
    const { key } = current.location;
    // The position is wrong while the page has not reached its full height.
    if (place.isHolding?.() && scroll.find(key) !== undefined) return;
    scroll.save(key, window.scrollY);
  }

  function followHistory(): void {
    const { key, state } = readEntry();
    void move(new URL(address.href), { action: NavigationType.Pop, key, state, keepScroll: false });
  }

  const resolveUrl = (to: To) => new URL(typeof to === 'string' ? to : pathText(to), address.href);

  const moveBy =
    (action: NavigationType): Navigator['push'] =>
    (to, state: unknown, { preventScrollReset = false } = {}) =>
      void move(resolveUrl(to), { action, key: newKey(), state, keepScroll: preventScrollReset });

  window.addEventListener('popstate', followHistory);
  window.addEventListener('pagehide', rememberScroll);
  // Discarded tabs, also on phones, get no `pagehide`.
  window.document.addEventListener('visibilitychange', () => {
    if (window.document.visibilityState === 'hidden') rememberScroll();
  });
  // The browser restores the document with its pending navigation, which the visitor has abandoned.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    sequence += 1;
    pending = null;
    onPending(false);
    // Unless it was a back or forward navigation: then the URL is already the other page's.
    if ((history.state as HistoryState | null)?.key !== current.location.key) return followHistory();
    // With manual restoration WebKit shows the document from its top.
    const position = scroll.find(current.location.key);
    if (position !== undefined && window.scrollY === 0) jumpTo(position);
  });
  const remembered = scroll.find(current.location.key);
  if (remembered !== undefined) deferLayout(false);
  const { scrollY } = window;
  // A reload restores the position, unless the visitor has scrolled during the load: away from the top, or from the
  // anchor to which the browser has scrolled.
  if (remembered !== undefined && (!scrollY || scrollToAnchor(address)))
    jumpTo(Math.abs(window.scrollY - scrollY) < 2 ? remembered : scrollY);

  return {
    basename: '/',
    initialLocation: current.location,
    get location() {
      return current.location;
    },
    get navigationType() {
      return current.action;
    },
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
    keepPlaces: (keeper) => (place = keeper),
  };
}

export function createStillNavigation(route: BootRoute, variants: VariantChoice, origin: string): Navigation {
  const state: NavigationState = {
    location: toLocation(new URL(route.path, origin), 'default', null),
    action: NavigationType.Pop,
    page: { id: 0, route, variants, fromTop: false },
  };
  const nowhere = () => {
    throw new Error('There is nowhere to go while a page is rendered ahead of time.');
  };
  return {
    basename: '/',
    location: state.location,
    navigationType: state.action,
    get: () => state,
    subscribe: () => () => undefined,
    navigator: {
      createHref: (to) => (typeof to === 'string' ? to : pathText(to)),
      go: nowhere,
      push: nowhere,
      replace: nowhere,
    },
    keepPlaces: nowhere,
  };
}

function toLocation(
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

function isQueryChange({ action, keepScroll }: Move): boolean {
  return action === NavigationType.Replace && keepScroll;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
