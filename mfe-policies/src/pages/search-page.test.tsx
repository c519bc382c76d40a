import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { SearchFound } from '@site/contract';
import { Link } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import SearchPage from './search-page.tsx';

test('is a form that works by itself, and asks search engines to leave it out', () => {
  renderPage(<SearchPage />, { path: '/search' });
  const form = screen.getByRole('search', { name: 'All pages' });
  expect(form).toHaveAttribute('action', '/search');
  expect(within(form).getByLabelText('What are you looking for?')).toHaveAttribute('name', 'q');
  expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
});

test('has the two places that the edge writes into, and nothing in them without a query', () => {
  renderPage(<SearchPage />, { path: '/search' });
  expect(screen.getByRole('searchbox')).toHaveAttribute('data-search-query', '');
  expect(document.querySelector('[data-search-results=""]')).toBeEmptyDOMElement();
});

test('offers places to begin', () => {
  renderPage(<SearchPage />, { path: '/search' });
  const links = within(screen.getByRole('region', { name: 'Good places to begin' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    expect.arrayContaining(['/blocks', '/start#pricing', '/developers', '/support']),
  );
});

describe('a new search while the page is open', () => {
  const fetchBefore = globalThis.fetch;
  /** What the edge has been asked for, and how each answer is given. */
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

  test('the results of the document are there at once, and not read out', () => {
    expect(sentence()).toBe('1 result for “auth”');
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect(asked).toEqual([]);
  });

  test('shows no results of the former one, and reads out how much was found', async () => {
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

  test('when it fails, says so without any results, and may be tried again', async () => {
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

  test('when it fails, the same words may be asked for again at once', async () => {
    await search('forms');
    asked[0]?.fail();
    expect(await screen.findByRole('alert')).toBeVisible();

    await search('forms');
    expect(screen.queryByRole('alert')).toBeNull();
    asked[1]?.answer(found('forms'));
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
  });

  test('after too many searches the same words are asked for again when the visitor searches again', async () => {
    await search('forms');
    asked[0]?.answer({ query: 'forms', results: [], isBusy: true });
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(/too many searches/i));
    await search('forms');
    expect(asked).toHaveLength(2);
    asked[1]?.answer(found('forms'));
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
  });

  test('an answer that the edge understood in other words is the answer', async () => {
    await search('forms');
    asked[0]?.answer({ ...found('forms'), query: 'form' });
    await waitFor(() => expect(sentence()).toBe('1 result for “forms”'));
    expect(asked).toHaveLength(1);
  });
});
