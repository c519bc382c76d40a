import { NavigationType } from 'react-router-dom';
import type { BootRoute } from '@site/contract';
import { createNavigation, type Navigation, type NavigationOptions } from './navigation.ts';
import { createReleaseTable } from './release-table.ts';
import { createScrollMemory } from './scroll-memory.ts';

const page = (path: string): BootRoute => ({ path, remote: 'mfe-a', module: './a' });
const routes = [page('/home'), page('/blocks'), page('/start')];
const redirects = [
  { from: '/old', to: '/start' },
  { from: '*', to: '/home' },
];

function setUp(options: Partial<NavigationOptions> = {}) {
  history.replaceState(null, '', '/home');
  const scrollTo = jest.fn();
  Object.defineProperty(window, 'scrollTo', { value: scrollTo, configurable: true });
  const loads: { path: string; finish(): void }[] = [];
  const pending: boolean[] = [];
  let draws = 0;
  const navigation = createNavigation({
    window,
    table: createReleaseTable({ frame: 'one', remotes: [], routes, redirects }),
    scroll: createScrollMemory(null),
    load: ({ path }) =>
      new Promise((resolve) => {
        loads.push({ path, finish: () => resolve(undefined) });
      }),
    isRevoked: () => Promise.resolve(false),
    draw: () => ({ headline: String((draws += 1)) }),
    change(update, arrive) {
      update();
      arrive();
    },
    onPending: (isPending) => pending.push(isPending),
    ...options,
  });
  return { navigation, loads, scrollTo, pending };
}

function setScrollY(value: number): void {
  Object.defineProperty(window, 'scrollY', { value, configurable: true });
}

/** Simulates a browser navigation to another history entry. */
function goTo(address: string, key: string): void {
  history.replaceState({ key, state: null }, '', address);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

afterEach(() => setScrollY(0));

const settle = () => new Promise((resolve) => setTimeout(resolve));

test("URL and page change together, and only after the page's code has loaded", async () => {
  const { navigation, loads } = setUp();
  navigation.navigator.push('/blocks');
  await settle();
  expect(location.pathname).toBe('/home');
  expect(navigation.get().page?.route.path).toBe('/home');
  loads[0]?.finish();
  await settle();
  expect(location.pathname).toBe('/blocks');
  expect(navigation.get()).toMatchObject({
    location: { pathname: '/blocks' },
    action: NavigationType.Push,
    page: { route: { path: '/blocks' } },
  });
});

test('a page knows whether a click opens it at its top', async () => {
  const { navigation, loads } = setUp();
  const opened = async (open: () => void) => {
    open();
    await settle();
    loads.at(-1)?.finish();
    await settle();
    return [navigation.get().page?.route.path, navigation.get().page?.fromTop];
  };
  expect(navigation.get().page?.fromTop).toBe(false);
  expect(await opened(() => navigation.navigator.push('/blocks'))).toEqual(['/blocks', true]);
  expect(await opened(() => navigation.navigator.push('/start#plans'))).toEqual(['/start', false]);
  const back = () => {
    history.replaceState({ key: 'before' }, '', '/blocks');
    window.dispatchEvent(new PopStateEvent('popstate'));
  };
  expect(await opened(back)).toEqual(['/blocks', false]);
});

test('a history entry created by the browser for an anchor link is identified on return', async () => {
  const { navigation } = setUp();
  history.pushState(null, '', '/home#plans');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await settle();
  const { key } = navigation.get().location;
  expect(history.state).toEqual({ key, state: null });
  window.dispatchEvent(new PopStateEvent('popstate'));
  await settle();
  expect(navigation.get().location.key).toBe(key);
});

test('a click replaces a pending navigation', async () => {
  const { navigation, loads } = setUp();
  navigation.navigator.push('/blocks');
  navigation.navigator.push('/start');
  loads[1]?.finish();
  await settle();
  loads[0]?.finish();
  await settle();
  expect(location.pathname).toBe('/start');
  expect(navigation.get().page?.route.path).toBe('/start');
});

test('a navigation is pending from the click until the page changes, even if another one replaces it', async () => {
  const { navigation, loads, pending } = setUp();
  navigation.navigator.push('/blocks');
  expect(pending).toEqual([true]);
  navigation.navigator.push('/start');
  loads[0]?.finish();
  await settle();
  expect(pending.at(-1)).toBe(true);
  loads[1]?.finish();
  await settle();
  expect(pending.at(-1)).toBe(false);
});

test('a click that stays on the page ends the pending navigation', async () => {
  const { navigation, pending } = setUp();
  navigation.navigator.push('/blocks');
  navigation.navigator.push('/home?a=1');
  await settle();
  expect(pending).toEqual([true, false]);
});

test('a redirect is followed within the page', async () => {
  const { navigation, loads } = setUp();
  navigation.navigator.push('/old?a=1');
  await settle();
  loads[0]?.finish();
  await settle();
  expect(location.pathname + location.search).toBe('/start?a=1');
});

test.each([{ headline: 'a' }, undefined])(
  'a page has the same variants at each opening in a load, with %j in its document',
  async (firstVariants) => {
    const { navigation } = setUp({ load: () => Promise.resolve(), firstVariants });
    const shown = async (to: string) => {
      navigation.navigator.push(to);
      await settle();
      return navigation.get().page?.variants;
    };
    const first = navigation.get().page?.variants;
    expect(await shown('?filter=x')).toEqual(first);
    const other = await shown('/blocks');
    expect(other).not.toEqual(first);
    expect(await shown('/home')).toEqual(first);
    expect(await shown('/blocks')).toEqual(other);
  },
);

test('a new page is shown from the top, a change of query can keep the position', async () => {
  const { navigation, scrollTo } = setUp({ load: () => Promise.resolve() });
  navigation.navigator.push('?filter=x', undefined, { preventScrollReset: true });
  await settle();
  expect(scrollTo).not.toHaveBeenCalled();
  navigation.navigator.push('/blocks');
  await settle();
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' });
});

test('going back restores the scroll position', async () => {
  const { navigation, scrollTo } = setUp({ load: () => Promise.resolve() });
  Object.defineProperty(window, 'scrollY', { value: 640, configurable: true });
  navigation.navigator.push('/blocks');
  await settle();
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  const shown = new Promise<void>((resolve) => navigation.subscribe(resolve));
  history.back();
  await shown;
  expect(location.pathname).toBe('/home');
  expect(scrollTo).toHaveBeenLastCalledWith({ top: 640, behavior: 'instant' });
});

test('scrolls to an anchor', async () => {
  const { navigation } = setUp({ load: () => Promise.resolve() });
  const section = document.body.appendChild(document.createElement('section'));
  section.id = 'faq';
  section.scrollIntoView = jest.fn();
  navigation.navigator.push('/home#faq');
  await settle();
  expect(section.scrollIntoView).toHaveBeenCalled();
  section.remove();
});

test('listeners are notified until they unsubscribe', async () => {
  const { navigation } = setUp({ load: () => Promise.resolve() });
  const listener = jest.fn();
  const leave = navigation.subscribe(listener);
  navigation.navigator.push('/blocks');
  await settle();
  leave();
  navigation.navigator.push('/start');
  await settle();
  expect(listener).toHaveBeenCalledTimes(1);
});

/** A query change by the open page, for example by a timer. */
const changeQuery = (navigation: Navigation, query: string) =>
  navigation.navigator.replace(query, undefined, { preventScrollReset: true });

test('a change of the query by the page does not cancel the click on a link', async () => {
  const { navigation, loads, pending } = setUp();
  navigation.navigator.push('/blocks');
  changeQuery(navigation, '/home?projects=7');
  expect(location.pathname + location.search).toBe('/home?projects=7');
  expect(navigation.get().location.search).toBe('?projects=7');
  expect(pending).toEqual([true]);
  loads[0]?.finish();
  await settle();
  expect(location.pathname + location.search).toBe('/blocks');
});

test("a query change by the page being left with Back is not written to the other page's entry", async () => {
  const { navigation, loads } = setUp();
  goTo('/blocks', 'before');
  changeQuery(navigation, '/home?projects=7');
  await settle();
  expect(location.pathname + location.search).toBe('/blocks');
  loads[0]?.finish();
  await settle();
  expect(location.pathname + location.search).toBe('/blocks');
  expect(navigation.get().page?.route.path).toBe('/blocks');
});

test('a replacing click on a link to the open page cancels the previous click', async () => {
  const { navigation, loads } = setUp();
  navigation.navigator.push('/blocks');
  navigation.navigator.replace('/home');
  loads[0]?.finish();
  await settle();
  expect(location.pathname).toBe('/home');
});

describe('a document that the back/forward cache restores', () => {
  const restore = () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

  test('has abandoned the pending navigation', async () => {
    const { navigation, loads, pending } = setUp();
    navigation.navigator.push('/blocks');
    restore();
    loads[0]?.finish();
    await settle();
    expect(location.pathname).toBe('/home');
    expect(navigation.get().page?.route.path).toBe('/home');
    expect(pending.at(-1)).toBe(false);
  });

  test('restores the scroll position, even in an engine that shows it from its top', () => {
    const { scrollTo } = setUp();
    setScrollY(700);
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    setScrollY(0);
    restore();
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 700, behavior: 'instant' });
  });

  test('completes a back navigation whose URL is already set', async () => {
    const { navigation, loads } = setUp();
    goTo('/blocks', 'before');
    restore();
    loads.at(-1)?.finish();
    await settle();
    expect(location.pathname).toBe('/blocks');
    expect(navigation.get().page?.route.path).toBe('/blocks');
  });
});

describe('the scroll position', () => {
  const scroll = createScrollMemory(null);
  const jumpsTo = (scrollTo: jest.Mock) =>
    scrollTo.mock.calls.map(([options]) => (options as ScrollToOptions).top);
  const reloadAt = (key: string, address = '/home') => {
    const set = setUp({ scroll });
    history.replaceState({ key, state: null }, '', address);
    set.scrollTo.mockClear();
    createNavigation({
      window,
      table: createReleaseTable({ frame: 'one', remotes: [], routes, redirects }),
      scroll,
      load: () => Promise.resolve(),
      isRevoked: () => Promise.resolve(false),
      draw: () => ({}),
      change: (update, arrive) => (update(), arrive()),
      onPending: () => undefined,
    });
    return jumpsTo(set.scrollTo);
  };

  test('is stored when the tab is hidden, because a discarded tab gets no other event', () => {
    const { navigation } = setUp({ scroll });
    setScrollY(5_000);
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
    expect(scroll.find(navigation.get().location.key)).toBe(5_000);
  });

  test('is restored by a reload', () => {
    scroll.save('reloaded', 4_000);
    expect(reloadAt('reloaded')).toEqual([4_000]);
  });

  test('is not restored if the visitor has scrolled before the script loaded', () => {
    scroll.save('late', 4_000);
    setScrollY(700);
    expect(reloadAt('late')).toEqual([]);
  });

  test.each([
    ['is restored at a URL with an anchor to which the browser has scrolled', 300, [4_000]],
    ['is not restored if the visitor has scrolled away from the anchor before the script loaded', 900, [900]],
  ])('%s', (_, before, expected) => {
    scroll.save('anchor', 4_000);
    setScrollY(before);
    const section = document.body.appendChild(document.createElement('section'));
    section.id = 'faq';
    section.scrollIntoView = () => setScrollY(300);
    expect(reloadAt('anchor', '/home#faq')).toEqual(expected);
    section.remove();
  });
});

test.each([
  ['/home?filter=x', 'same-page'],
  ['/blocks', 'page-top'],
  ['/blocks#auth', 'page-place'],
])('a click on %s changes the page as "%s"', async (to, arrival) => {
  const change = jest.fn<undefined, [() => void, () => void, string]>();
  const { navigation } = setUp({ load: () => Promise.resolve(), change });
  navigation.navigator.push(to);
  await settle();
  expect(change.mock.calls.map(([, , how]) => how)).toEqual([arrival]);
});

function createBrowser() {
  const browser = { assign: jest.fn<undefined, [URL]>(), reload: jest.fn() };
  const opened = new Proxy(window, {
    get(target, name) {
      if (name === 'location')
        return {
          ...browser,
          get href() {
            return location.href;
          },
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { browser, window: opened };
}

describe('on a revoked release', () => {
  function setUpRevoked(load: () => Promise<void>) {
    const { browser, window: opened } = createBrowser();
    return { ...setUp({ window: opened, load, isRevoked: () => Promise.resolve(true) }), browser };
  }
  const hanging = () => new Promise<void>(() => undefined);

  test("a click is a full page load, without waiting for that release's code", async () => {
    const { navigation, browser } = setUpRevoked(hanging);
    navigation.navigator.push('/blocks');
    await settle();
    expect(browser.assign.mock.calls.map(([url]) => url.href)).toEqual(['http://localhost/blocks']);
    expect(navigation.get().page?.route.path).toBe('/home');
  });

  test('the click is pending until the document is left, and not after the browser restores it', async () => {
    const { navigation, pending } = setUpRevoked(hanging);
    navigation.navigator.push('/blocks');
    await settle();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
    expect(pending).toEqual([true]);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(pending).toEqual([true, false]);
  });
});

describe('with a table that arrives later', () => {
  /** A document with an incomplete table: it knows only /home. */
  function setUpLater(options: Partial<NavigationOptions> = {}) {
    let known = createReleaseTable({ frame: 'one', remotes: [], routes: routes.slice(0, 1), redirects: [] });
    const whole = createReleaseTable({ frame: 'one', remotes: [], routes, redirects });
    const asked: (() => void)[] = [];
    const { browser, window: opened } = createBrowser();
    const set = setUp({
      window: opened,
      table: {
        resolve: (url) => known.resolve(url),
        complete: () => new Promise<void>((resolve) => asked.push(resolve)),
      },
      load: () => Promise.resolve(),
      ...options,
    });
    return {
      ...set,
      browser,
      asked,
      arrive() {
        known = whole;
        for (const told of asked.splice(0)) told();
      },
      fail() {
        for (const told of asked.splice(0)) told();
      },
    };
  }

  test('a click on an unknown page waits for the table, and shows as pending', async () => {
    const { navigation, arrive, pending, browser } = setUpLater();
    navigation.navigator.push('/blocks');
    expect(pending).toEqual([true]);
    await settle();
    expect(location.pathname).toBe('/home');
    arrive();
    await settle();
    expect(location.pathname).toBe('/blocks');
    expect(navigation.get().page?.route.path).toBe('/blocks');
    expect(pending.at(-1)).toBe(false);
    expect(browser.assign).not.toHaveBeenCalled();
  });

  test('a redirect from the table is followed within the page', async () => {
    const { navigation, arrive } = setUpLater();
    navigation.navigator.push('/old?a=1');
    arrive();
    await settle();
    expect(location.pathname + location.search).toBe('/start?a=1');
  });

  test('if the table fails to load, a click is a full page load', async () => {
    const { navigation, fail, pending, browser } = setUpLater();
    navigation.navigator.push('/old?a=1');
    fail();
    await settle();
    expect(browser.assign.mock.calls.map(([url]) => url.href)).toEqual(['http://localhost/old?a=1']);
    expect(navigation.get().page?.route.path).toBe('/home');
    expect(pending.at(-1)).toBe(false);
  });

  test('going to an unknown history entry loads that page, regardless of its anchor', async () => {
    const { fail, browser } = setUpLater();
    history.replaceState({ key: 'before' }, '', '/blocks#auth');
    window.dispatchEvent(new PopStateEvent('popstate'));
    fail();
    await settle();
    expect(browser.reload).toHaveBeenCalledTimes(1);
    expect(browser.assign).not.toHaveBeenCalled();
  });

  test('a click on the open page does not wait', async () => {
    const { navigation, asked } = setUpLater();
    navigation.navigator.push('/home?a=1');
    await settle();
    expect(location.search).toBe('?a=1');
    expect(asked).toEqual([]);
  });

  test('a redirect to the open page does not draw new variants', async () => {
    const draw = jest.fn(() => ({}));
    const { navigation, arrive } = setUpLater({ draw });
    navigation.navigator.push('/nobody-knows');
    arrive();
    await settle();
    expect(location.pathname).toBe('/home');
    expect(draw).toHaveBeenCalledTimes(1);
  });

  test.each(['arrive', 'fail'] as const)('a replaced click is ignored (%s)', async (ends) => {
    const { navigation, browser, ...table } = setUpLater();
    navigation.navigator.push('/blocks');
    navigation.navigator.push('/home?a=1');
    await settle();
    table[ends]();
    await settle();
    expect(location.pathname + location.search).toBe('/home?a=1');
    expect(browser.assign).not.toHaveBeenCalled();
  });
});
