import { screen, within } from '@testing-library/react';
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
