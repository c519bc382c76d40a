import type { BootRemote, BootRoute } from '@site/contract';
import type { Report, Signals } from '@site/contract/signals/report.schema';
import { NavigationType } from 'react-router-dom';
import type { NavigationState, OpenedPage } from '../navigation/navigation.ts';
import type { LoadedPage } from '../pages/page-loader.ts';
import { tellForm } from './form-told.ts';
import type { Noticed } from './noticed.ts';
import { startSignals } from './start-signals.ts';

const blocks: BootRoute = { path: '/blocks', remote: 'mfe-blocks', module: './blocks-page' };
const home: BootRoute = {
  path: '/home',
  remote: 'mfe-marketing',
  module: './home-page',
  variants: { headline: ['a', 'b'] },
};
const tried: BootRoute = {
  ...home,
  outcomes: [
    { name: 'start', on: 'visit', path: '/start' },
    { name: 'mainButton', on: 'press' },
    { name: 'signUp', on: 'leave', path: '/auth/register' },
    { name: 'form', on: 'form' },
  ],
};
const start: BootRoute = { path: '/start', remote: 'mfe-marketing', module: './start-page' };
const build = (name: string, version: string): BootRemote => ({
  name,
  version,
  entry: '',
  integrity: '',
  scripts: [],
});
const remotes = new Map([
  ['mfe-blocks', { ...build('mfe-blocks', '2.0.0-bbbbbbbbbbbb'), lastGood: build('', '1.0.0-aaaaaaaaaaaa') }],
  ['mfe-marketing', build('mfe-marketing', '1.0.0-cccccccccccc')],
]);

const sendBeacon = jest.fn<boolean, [string, string]>(() => true);
let token: string | undefined;
let hidden: boolean;
const settle = () => jest.advanceTimersByTimeAsync(0);
const sent = () => sendBeacon.mock.calls.map(([, body]) => JSON.parse(body) as Signals);
const reports = () => sent().flatMap((signals) => signals.reports);
const outcomes = () =>
  reports().filter((report): report is Extract<Report, { kind: 'outcome' }> => report.kind === 'outcome');

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  [token, hidden] = ['of-document', false];
  Object.assign(navigator, { sendBeacon });
  Object.assign(performance, {
    getEntriesByType: () => [{ serverTiming: token ? [{ name: 'view', description: token }] : [] }],
  });
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
});
/**
 * A real document keeps its script for its lifetime. Here several scripts share one document, so remove their
 * listeners.
 */
const listening: (() => void)[] = [];
beforeEach(() => {
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    jest
      .spyOn(target, 'addEventListener')
      .mockImplementation((type: string, listener: unknown, options?: unknown) => {
        add(type, listener as EventListener, options as boolean);
        listening.push(() => target.removeEventListener(type, listener as EventListener, options as boolean));
      });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const stop of listening.splice(0)) stop();
  sendBeacon.mockClear();
  jest.useRealTimers();
});

function setUp({ kept = [] as Noticed[], first = blocks, variants = {} } = {}) {
  let page: OpenedPage = { id: 0, route: first, variants, fromTop: false };
  const loaded = new Map<BootRoute, LoadedPage>();
  const listeners = new Set<() => void>();
  startSignals(
    {
      table: { document: 'frame/mfe-blocks@1', remotes },
      navigation: {
        get: () => ({ page, action: NavigationType.Push, location: {} }) as NavigationState,
        subscribe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      pages: { peek: (route) => loaded.get(route) },
    },
    kept,
    1_234.5,
  );
  return {
    kept,
    loaded,
    open(next: Partial<OpenedPage>) {
      page = { ...page, id: page.id + 1, ...next };
      for (const listener of listeners) listener();
    },
    hide() {
      hidden = true;
      document.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

/** An uncaught error whose first file belongs to this app. */
function thrownIn(app: string, message = 'x is undefined'): ErrorEvent {
  const error = new Error(message);
  error.stack = `Error: ${message}\n  at f (${location.origin}/assets/${app}/page.0123.js:7:42)\n  at ${location.origin}/assets/shell/main.js:1:1`;
  return new ErrorEvent('error', { error });
}

test("a view has one outcome per stretch, with its document's token", async () => {
  setUp();
  await jest.advanceTimersByTimeAsync(4_999);
  expect(sendBeacon).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  await jest.advanceTimersByTimeAsync(60_000);
  const view = {
    number: 0,
    route: '/blocks',
    app: 'mfe-blocks',
    version: '2.0.0-bbbbbbbbbbbb',
    build: 'live',
  };
  expect(reports()).toEqual([
    { kind: 'outcome', stretch: 'first', age: 5_000, faulty: [], view },
    { kind: 'outcome', stretch: 'later', age: 30_000, faulty: [], view },
  ]);
  expect(sent()).toMatchObject([
    { token: 'of-document', document: 'frame/mfe-blocks@1' },
    { token: 'of-document' },
  ]);
});

test('a change of hash or query is the same view', async () => {
  const site = setUp();
  await jest.advanceTimersByTimeAsync(3_000);
  site.open({ id: 0 });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(outcomes().map(({ stretch, age, view }) => [stretch, age, view.number])).toEqual([
    ['first', 5_000, 0],
    ['later', 30_000, 0],
  ]);
});

test('failures before and after the script loads count, once per app', async () => {
  const { kept } = setUp({ kept: [thrownIn('mfe-blocks'), ['hydration', 'mfe-blocks', 'no match']] });
  kept.push(thrownIn('mfe-blocks'));
  kept.push(thrownIn('shell', 'second'));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(reports()).toMatchObject([
    {
      kind: 'faults',
      faults: [
        {
          kind: 'error',
          app: 'mfe-blocks',
          message: 'x is undefined',
          file: '/assets/mfe-blocks/page.0123.js',
          line: 7,
          column: 42,
        },
        { kind: 'hydration', app: 'mfe-blocks', message: 'no match' },
        { kind: 'error', app: 'shell', message: 'second' },
      ],
    },
  ]);
  await jest.advanceTimersByTimeAsync(29_000);
  // Failures of the first stretch are not reported again in the later one.
  expect(outcomes().map(({ faulty }) => faulty)).toEqual([['mfe-blocks', 'shell'], []]);
});

test('foreign errors are not faults of the site', async () => {
  const { kept } = setUp();
  const error = new Error('of an extension');
  error.stack = `Error\n at chrome-extension://abc/assets/mfe-blocks/x.js:1:1\n at ${location.origin}/assets/mfe-blocks/page.js:1:1`;
  kept.push(new ErrorEvent('error', { error }));
  kept.push(new ErrorEvent('error', { message: 'Script error.' }));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports()).toMatchObject([{ kind: 'outcome', faulty: [] }]);
});

test('a fault of elements that others have changed is reported, and its view is not faulty', async () => {
  setUp({ kept: [['foreign', 'mfe-blocks', new Error('no match')]] });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports()).toMatchObject([
    { kind: 'faults', faults: [{ kind: 'foreign', app: 'mfe-blocks' }] },
    { kind: 'outcome', faulty: [] },
  ]);
});

test('a page that throws continuously reports ten faults', async () => {
  const { kept } = setUp();
  for (let time = 0; time < 100; time += 1) kept.push(thrownIn('mfe-blocks', `message ${time}`));
  await jest.advanceTimersByTimeAsync(60_000);
  const told = reports().flatMap((report) => (report.kind === 'faults' ? report.faults : []));
  expect(told).toHaveLength(10);
});

test('a view reports at its end, and the next one starts empty', async () => {
  const { open } = setUp();
  await jest.advanceTimersByTimeAsync(2_000);
  open({ route: home, variants: { headline: 'b' } });
  await settle();
  expect(reports()).toMatchObject([
    { kind: 'outcome', stretch: 'first', age: 2_000 },
    { kind: 'vitals', interactive: 1_235, view: { number: 0 } },
  ]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outcomes()[1]).toMatchObject({
    age: 5_000,
    view: { number: 1, route: '/home', app: 'mfe-marketing', variant: 'headline=b' },
  });
  open({ route: blocks });
  await settle();
  // Only the initially loaded page has vitals.
  expect(reports().filter(({ kind }) => kind === 'vitals')).toHaveLength(1);
});

test('a hidden page reports immediately, and only once', async () => {
  const { hide } = setUp();
  await jest.advanceTimersByTimeAsync(1_000);
  hide();
  await settle();
  hide();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(reports().map(({ kind }) => kind)).toEqual(['outcome', 'vitals']);
});

test('a page after a fallback is a view of its last good version', async () => {
  const { loaded } = setUp();
  loaded.set(blocks, { status: 'ready', component: () => null, build: 'last-good' });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outcomes()).toMatchObject([{ view: { version: '1.0.0-aaaaaaaaaaaa', build: 'last-good' } }]);
});

test('a view ends when the live build fails, and reports that build, although the last good version is shown', async () => {
  const { error } = thrownIn('mfe-blocks', 'boom') as { error: Error };
  const { kept, loaded, open } = setUp({ kept: [['render', 'mfe-blocks', error]] });
  await settle();
  const view = { number: 0, version: '2.0.0-bbbbbbbbbbbb', build: 'live' };
  expect(reports()).toMatchObject([
    { kind: 'faults', view, faults: [{ kind: 'render', message: 'boom', line: 7 }] },
    { kind: 'outcome', stretch: 'first', view, faulty: ['mfe-blocks'] },
    { kind: 'vitals', view },
  ]);
  // Failures of the last good build do not count.
  loaded.set(blocks, { status: 'ready', component: () => null, build: 'last-good' });
  const lastGood = { version: '1.0.0-aaaaaaaaaaaa', build: 'last-good' };
  kept.push(thrownIn('mfe-blocks', 'later'));
  tellForm(window, { kind: 'form', sent: true });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(reports().slice(3)).toMatchObject([
    { kind: 'form', view: lastGood },
    { kind: 'faults', view: lastGood, faults: [{ kind: 'error', message: 'later' }] },
  ]);
  // The next view starts with the displayed version.
  open({});
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outcomes().slice(1)).toMatchObject([{ view: { number: 1, ...lastGood }, faulty: [] }]);
});

test('a page that fails to open is a faulty view of its app, although the fault occurred in the previous view', async () => {
  const { kept, loaded, open } = setUp();
  kept.push(['load', 'mfe-marketing', new Error('not there')]);
  loaded.set(home, { status: 'failed', error: new Error('not there') });
  open({ route: home, variants: { headline: 'b' } });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outcomes()).toMatchObject([
    { view: { app: 'mfe-blocks' }, faulty: ['mfe-marketing'] },
    { view: { app: 'mfe-marketing', build: 'live' }, faulty: ['mfe-marketing'] },
  ]);
});

test("another app's failure does not affect the open page", async () => {
  const { kept, loaded } = setUp();
  loaded.set(blocks, { status: 'ready', component: () => null, build: 'last-good' });
  kept.push(['load', 'mfe-marketing', new Error('not there')]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outcomes()).toMatchObject([{ view: { build: 'last-good' }, faulty: ['mfe-marketing'] }]);
});

test.each([{ sent: true }, { sent: false }, { sent: false, refused: true }] as const)(
  "a form's result is reported immediately: %j",
  async (told) => {
    setUp();
    tellForm(window, { kind: 'form', ...told });
    await settle();
    expect(reports()).toEqual([{ kind: 'form', ...told, view: expect.anything() as unknown }]);
  },
);

test('a document without a token requests one, once, and another one after its expiry', async () => {
  token = undefined;
  const ask = jest.fn(() =>
    Promise.resolve({ json: () => Promise.resolve({ token: `t${ask.mock.calls.length}` }) }),
  );
  Object.assign(globalThis, { fetch: ask });
  const { open } = setUp();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent().map((signals) => signals.token)).toEqual(['t1', 't1']);
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  open({});
  await jest.advanceTimersByTimeAsync(5_000);
  expect(sent().at(-1)).toMatchObject({ token: 't2' });
  expect(ask).toHaveBeenLastCalledWith(`/__site/signals?page=${encodeURIComponent(location.pathname)}`);
});

test('without a token nothing is sent, and nothing fails', async () => {
  token = undefined;
  Object.assign(globalThis, { fetch: () => Promise.reject(new Error('no network')) });
  setUp();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sendBeacon).not.toHaveBeenCalled();
});

test('offline, nothing is requested or sent', async () => {
  token = undefined;
  const ask = jest.fn();
  Object.assign(globalThis, { fetch: ask });
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  setUp();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(ask).not.toHaveBeenCalled();
  expect(sendBeacon).not.toHaveBeenCalled();
});

describe('a page that counts outcomes for its variants', () => {
  const experiments = () => reports().filter(({ kind }) => kind === 'experiment');
  const opened = async () => {
    const site = setUp({ first: tried, variants: { headline: 'b' } });
    await settle();
    return site;
  };
  const press = (html: string) => {
    document.body.innerHTML = html;
    document.body
      .querySelector('b')
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  };
  /** A link that leaves would make jsdom navigate. */
  const stay = (event: Event) => event.preventDefault();
  beforeEach(() => window.addEventListener('click', stay));
  afterEach(() => window.removeEventListener('click', stay));

  test('reports a load once, with the variant that it showed, when the tab is hidden', async () => {
    const site = await opened();
    site.open({ route: blocks, variants: {} });
    site.open({ route: tried, variants: { headline: 'b' } });
    expect(experiments()).toEqual([]);
    site.hide();
    site.hide();
    await settle();
    expect(experiments()).toEqual([
      {
        kind: 'experiment',
        view: {
          number: 0,
          route: '/home',
          app: 'mfe-marketing',
          version: '1.0.0-cccccccccccc',
          build: 'live',
          variant: 'headline=b',
        },
        reached: [],
      },
    ]);
  });

  test.each<[string, (site: ReturnType<typeof setUp>) => void, string[]]>([
    [
      'a main button',
      () => press('<a href="/blocks" data-outcome="mainButton"><b>Go</b></a>'),
      ['mainButton'],
    ],
    ['another button', () => press('<button><b>Go</b></button>'), []],
    ['the page to arrive on', (site) => site.open({ route: start }), ['start']],
    ['another page', (site) => site.open({ route: blocks }), []],
    [
      'a link to the sign-up of another site',
      () => press('<a href="https://app.example.com/auth/register?x=1"><b>Sign up</b></a>'),
      ['signUp'],
    ],
    ['a page of this site with that path', () => press('<a href="/auth/register"><b>Sign up</b></a>'), []],
    ['a sent form', () => tellForm(window, { kind: 'form', sent: true }), ['form']],
    ['a failed form', () => tellForm(window, { kind: 'form', sent: false }), []],
    [
      'a main button on another page',
      (site) => {
        site.open({ route: blocks });
        press('<a href="/start" data-outcome="mainButton"><b>Go</b></a>');
      },
      [],
    ],
    [
      'several, some of them twice',
      (site) => {
        site.open({ route: start });
        site.open({ route: tried });
        site.open({ route: start });
        tellForm(window, { kind: 'form', sent: true });
      },
      ['start', 'form'],
    ],
  ])('reaches an outcome with %s', async (_, act, reached) => {
    const site = await opened();
    act(site);
    site.hide();
    await settle();
    expect(experiments()).toMatchObject([{ reached }]);
  });

  test('counts nothing after five minutes, or after the tab was hidden', async () => {
    const site = await opened();
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(experiments()).toMatchObject([{ reached: [] }]);
    site.open({ route: start });
    site.hide();
    await settle();
    expect(experiments()).toHaveLength(1);
  });

  test('is not counted in a hidden tab', async () => {
    hidden = true;
    (await opened()).hide();
    await settle();
    expect(experiments()).toEqual([]);
  });
});
