import { screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import CookiesPage from './cookies-page.tsx';

test('names everything that the site keeps in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual([
    'authToken',
    'bucket',
    '__Host-Http-preview',
    'theme',
    'newsletter:…',
    'form:…',
    'scroll-positions',
    'campaign',
  ]);
  expect(screen.getByRole('row', { name: /authToken/ })).toHaveTextContent('Cookie (path /, Secure)');
  expect(screen.getByRole('row', { name: /bucket/ })).toHaveTextContent('180 days');
});

test('does not say that the visitor needs what is kept of the campaign', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const section = screen.getByRole('region', { name: 'Why there is no banner' });
  expect(section).toHaveTextContent('Everything in the list but campaign is needed');
});

test('says that the captcha keeps nothing in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  expect(screen.getByText(/^The captcha of the forms keeps nothing here/)).toBeInTheDocument();
});
