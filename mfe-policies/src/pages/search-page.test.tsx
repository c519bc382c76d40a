import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { SearchFound } from '@site/contract';
import { Link } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import SearchPage from './search-page.tsx';

test('is a plain form, and is excluded from search engines', () => {
  renderPage(<SearchPage />, { path: '/search' });
  const form = screen.getByRole('search', { name: 'All pages' });
  expect(form).toHaveAttribute('action', '/search');
  expect(within(form).getByLabelText('What are you looking for?')).toHaveAttribute('name', 'q');
  expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
});

test("has the edge's two placeholders, empty without a query", () => {
  renderPage(<SearchPage />, { path: '/search' });
  expect(screen.getByRole('searchbox')).toHaveAttribute('data-search-query', '');
  expect(document.querySelector('[data-search-results=""]')).toBeEmptyDOMElement();
});

test('offers starting points', () => {
  renderPage(<SearchPage />, { path: '/search' });
  const links = within(screen.getByRole('region', { name: 'Good places to begin' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    expect.arrayContaining(['/blocks', '/start#pricing', '/developers', '/support']),
  );
});

describe('a new search on the open page', () => {
  const fetchBefore = globalThis.fetch;
  /** The requests to the edge, each with functions that answer it. */
  let asked: { address: string; answer(found: SearchFound): void; fail(): void }[];

  beforeEach(() => {
    asked = [];
    globalThis.fetch = (address) =>
      new Promise((resolve, reject) => {
        asked.push({
          address: address as string,
          answer: (found) => resolve({ ok: true, json: () => Promise.resolve(found) } as Response),
          fail: () => reject(new Error('no network')),
        });
      });
    document.body.innerHTML = '<div id="written"></div>';
    document.getElementById('written')?.setAttribute('data-search-results', JSON.stringify(found('auth')));
    renderPage(
      <>
        <Link to="/search?q=auth">auth</Link>
        <Link to="/search?q=forms">forms</Link>
        <SearchPage />
      </>,
      { path: '/search?q=auth' },
    );
  });
  afterEach(() => {
    globalThis.fetch = fetchBefore;
    document.getElementById('written')?.remove();
  });

  const found = (query: string): SearchFound => ({
    query,
    results: [{ href: `/${query}`, title: `About ${query}`, heading: '', text: '' }],
  });
  const search = (name: string) => userEvent.click(screen.getByRole('link', { name }));
  const sentence = () => screen.queryByRole('heading', { level: 2, name: /result/ })?.textContent;

  test("the document's results are there immediately, without an announcement", () => {
    expect(sentence()).toBe('1 result for “auth”');
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect(asked).toEqual([]);
  });

  test('removes the previous results, and announces the number of new ones', async () => {
    const status = screen.getByRole('status');
    await search('forms');
    expect(screen.getByRole('searchbox')).toHaveValue('forms');
    expect(sentence()).toBeUndefined();
    expect(screen.queryByRole('link', { name: 'About auth' })).toBeNull();
    expect(status).toBeEmptyDOMElement();

    asked[0]?.answer(found('forms'));
    await waitFor(() => expect(status).toHaveTextContent('1 result for “forms”'));
    expect(sentence()).toBe('1 result for “forms”');
    expect(screen.getByRole('link', { name: 'About forms' })).toBeVisible();
    expect(asked.map(({ address }) => address)).toEqual(['/__site/search?q=forms']);
  });

  test('reports a failure without results, and allows a retry', async () => {
    await search('forms');
    asked[0]?.fail();
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(sentence()).toBeUndefined();

    await search('auth');
    expect(screen.queryByRole('alert')).toBeNull();
    asked[1]?.answer(found('auth'));
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1 result for “auth”'));

    await search('forms');
    expect(screen.queryByRole('alert')).toBeNull();
    asked[2]?.answer(found('forms'));
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('after a failure, the same words can be searched again immediately', async () => {
    await search('forms');
    asked[0]?.fail();
    expect(await screen.findByRole('alert')).toBeVisible();

    await search('forms');
    expect(screen.queryByRole('alert')).toBeNull();
    asked[1]?.answer(found('forms'));
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
  });

  test('after too many searches, another search for the same words sends a new request', async () => {
    await search('forms');
    asked[0]?.answer({ query: 'forms', results: [], isBusy: true });
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(/too many searches/i));
    await search('forms');
    expect(asked).toHaveLength(2);
    asked[1]?.answer(found('forms'));
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
  });

  test('accepts an answer with a normalized query', async () => {
    await search('forms');
    asked[0]?.answer({ ...found('forms'), query: 'form' });
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
    expect(asked).toHaveLength(1);
  });
});
