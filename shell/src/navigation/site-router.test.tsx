import { act } from '@testing-library/react';
import { hydrateRoot, createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import type { BootRoute } from '@site/contract';
import { Link, NavLink, Page, useLocation, useSearchParams } from '@site/kit';
import { testConfig } from '@site/testing/render-page';
import { later } from '@site/ui/later';
import type { PageLoader } from '../pages/page-loader.ts';
import { SiteApp } from '../site-app.tsx';
import { changePage } from './change-page.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import { createReleaseTable } from './release-table.ts';
import { createScrollMemory } from './scroll-memory.ts';
import { SiteRouter } from './site-router.tsx';

const route: BootRoute = { path: '/partners', remote: 'mfe-a', module: './a' };
const Form = () => <input aria-label="Business name" />;

beforeEach(() => {
  history.replaceState(null, '', '/partners');
  window.matchMedia = () => ({ matches: true }) as MediaQueryList;
  window.scrollTo = () => undefined;
});
afterEach(() => document.body.replaceChildren());

function site(navigation: Navigation, component: () => React.ReactNode) {
  const page = { status: 'ready', component, build: 'live' } as const;
  return (
    <SiteApp
      services={{
        config: testConfig,
        guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
        submitForm: () => Promise.resolve({ status: 'accepted' }),
      }}
      subscribeToNewsletter={() => Promise.resolve(null)}
    >
      <SiteRouter navigation={navigation} pages={{ peek: () => page } as unknown as PageLoader} />
    </SiteApp>
  );
}

const navigate = () =>
  createNavigation({
    window,
    table: createReleaseTable({ frame: 'one', remotes: [], routes: [route], redirects: [] }),
    scroll: createScrollMemory(null),
    load: () => Promise.resolve(),
    isRevoked: () => Promise.resolve(false),
    draw: () => ({}),
    change: changePage,
    onPending: () => undefined,
  });

/** Prerenders the page with its lazy part, then hydrates it while the part's code is loading. */
async function hydrateWithoutPart() {
  const Ahead = later(() => Promise.resolve({ default: Form }));
  const pageWith = (Part: React.ComponentType) =>
    function TestPage() {
      return (
        <Page title="Partners" description="A page with a later part">
          <Link to="#apply">Become a partner</Link>
          <section id="apply">
            <Part />
          </section>
        </Page>
      );
    };
  // The first render fetches the part, the second one uses it.
  const warm = createRoot(document.createElement('div'));
  await act(() => Promise.resolve(warm.render(site(navigate(), pageWith(Ahead)))));
  act(() => warm.unmount());
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(site(navigate(), pageWith(Ahead)));

  let arrive!: () => void;
  const Late = later(() => new Promise((resolve) => (arrive = () => resolve({ default: Form }))));
  const navigation = navigate();
  const errors: unknown[] = [];
  const hydrated = await act(() =>
    hydrateRoot(root, site(navigation, pageWith(Late)), {
      onRecoverableError: (error) => errors.push(error),
    }),
  );
  return { root, navigation, errors, arrive: () => act(() => Promise.resolve(arrive())), hydrated };
}

test('a navigation within the page keeps the server markup of a lazy part and the text in its fields', async () => {
  const { root, navigation, arrive, errors, hydrated } = await hydrateWithoutPart();
  const field = root.querySelector<HTMLInputElement>('[aria-label="Business name"]')!;
  field.value = 'Ada & Co';
  document.getElementById('apply')!.scrollIntoView = () => undefined;

  const [link] = [...root.querySelectorAll('a')].filter((each) => each.hash === '#apply');
  await act(() => Promise.resolve(link!.click()));
  expect(location.hash).toBe('#apply');
  await act(() => Promise.resolve(navigation.navigator.replace('/partners?plan=a')));
  expect(root.querySelector('[aria-label="Business name"]')).toBe(field);

  await arrive();
  expect(root.querySelector('[aria-label="Business name"]')).toBe(field);
  expect(field).toHaveValue('Ada & Co');
  expect(errors).toEqual([]);
  act(() => hydrated.unmount());
});

test('every reader of the location shows the new one after a navigation', async () => {
  const navigation = navigate();
  const Readers = () => {
    const { search } = useLocation();
    const [query] = useSearchParams();
    return (
      <p>
        {search} {query.get('filter')} <Link to="?more=1">more</Link> <NavLink to="/partners">here</NavLink>
      </p>
    );
  };
  const root = document.body.appendChild(document.createElement('div'));
  const rendered = createRoot(root);
  await act(() => Promise.resolve(rendered.render(site(navigation, Readers))));
  await act(() => Promise.resolve(navigation.navigator.push('/partners?filter=growth')));
  expect(root.querySelector('main p')).toHaveTextContent('?filter=growth growth');
  expect(root.querySelector('main [aria-current=page]')).toHaveTextContent('here');
  act(() => rendered.unmount());
});
