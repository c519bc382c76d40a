import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense, useEffect, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import {
  createPath,
  MemoryRouter,
  NavigationType,
  type Location,
  type NavigateFunction,
  type Path,
  type SetURLSearchParams,
} from 'react-router-dom';
import { Link, NavLink } from './link.tsx';
import { StoreRouter, useLocation, useNavigate, useSearchParams, type RouterStore } from './store-router.tsx';

const at = (pathname: string, search = ''): Location => ({
  pathname,
  search,
  hash: '',
  state: null,
  key: pathname,
});

function createStore(initialLocation: Location) {
  const listeners = new Set<() => void>();
  let location = initialLocation;
  const store: RouterStore = {
    basename: '/',
    initialLocation,
    get location() {
      return location;
    },
    navigationType: NavigationType.Push,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    navigator: { createHref: String, go: () => undefined, push: () => undefined, replace: () => undefined },
  };
  return {
    store,
    moveTo(next: Location) {
      location = next;
      for (const listener of listeners) listener();
    },
  };
}

function Header() {
  const [query] = useSearchParams();
  return (
    <nav>
      <NavLink to="/blocks">Blocks</NavLink>
      <NavLink to="/start">Start</NavLink>
      <output>{query.get('filter')}</output>
    </nav>
  );
}

test('a part that hydrates after a navigation first matches its markup, then shows the new location', async () => {
  const { store, moveTo } = createStore(at('/blocks', '?filter=people'));
  /** Navigates in the commit that hydrates the root, before the boundary inside it is hydrated. */
  function App({ onReady }: { onReady?: () => void }) {
    useLayoutEffect(() => onReady?.(), [onReady]);
    return (
      <StoreRouter store={store}>
        <Suspense>
          <Header />
        </Suspense>
      </StoreRouter>
    );
  }
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(<App />);
  expect(root.querySelector('[aria-current=page]')).toHaveTextContent('Blocks');

  const errors: unknown[] = [];
  const leave = () => moveTo(at('/start', '?filter=growth'));
  const hydrated = await act(() =>
    Promise.resolve(
      hydrateRoot(root, <App onReady={leave} />, { onRecoverableError: (error) => errors.push(error) }),
    ),
  );
  expect([...root.querySelectorAll('[aria-current=page]')].map(({ textContent }) => textContent)).toEqual([
    'Start',
  ]);
  expect(root.querySelector('output')).toHaveTextContent('growth');
  expect(errors).toEqual([]);
  act(() => hydrated.unmount());
  root.remove();
});

test('late calls of a page that the visitor has left do not navigate', () => {
  const { store, moveTo } = createStore(at('/agencies'));
  const moves: string[] = [];
  const note = (to: unknown) => void moves.push(createPath(to as Path));
  store.navigator = { ...store.navigator, push: note, replace: note };
  let calls!: { navigate: NavigateFunction; setParams: SetURLSearchParams };
  function Panel() {
    const navigate = useNavigate();
    const [, setParams] = useSearchParams();
    useEffect(() => void (calls = { navigate, setParams }));
    return null;
  }
  const page = (isOpen: boolean) => <StoreRouter store={store}>{isOpen && <Panel />}</StoreRouter>;
  const { rerender } = render(page(true), { reactStrictMode: true });
  // A part of the page may close itself and then navigate.
  rerender(page(false));
  void calls.navigate('/blocks');
  expect(moves).toEqual(['/blocks']);
  act(() => moveTo(at('/start')));
  void calls.navigate('/partners');
  calls.setParams({ projects: '7' });
  expect(moves).toEqual(['/blocks']);
});

test('within a router with a base path, links and navigation stay below it', async () => {
  function Reader() {
    const navigate = useNavigate();
    const [, setParams] = useSearchParams();
    const { pathname, search } = useLocation();
    return (
      <>
        <Link to="/tokens">tokens</Link>
        <Link to="/">start</Link>
        <button onClick={() => void navigate('/edges')}>edges</button>
        <button onClick={() => setParams({ form: 'a' })}>filter</button>
        <output>{pathname + search}</output>
      </>
    );
  }
  render(
    <MemoryRouter basename="/console" initialEntries={['/console/tokens']}>
      <Reader />
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name: 'tokens' })).toHaveAttribute('href', '/console/tokens');
  expect(screen.getByRole('link', { name: 'start' })).toHaveAttribute('href', '/console');
  for (const [name, shown] of [
    ['filter', '/tokens?form=a'],
    ['edges', '/edges'],
    ['start', '/'],
    ['tokens', '/tokens'],
  ] as const) {
    await userEvent.click(screen.getByText(name));
    expect(screen.getByRole('status')).toHaveTextContent(shown);
  }
});
