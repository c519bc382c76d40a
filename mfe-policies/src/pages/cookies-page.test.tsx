import { screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import CookiesPage from './cookies-page.tsx';

test('names everything that the site keeps in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual([
    'authToken',
    'bucket',
    '__Host-preview',
    'theme',
    'newsletter:…',
    'form:…',
    'scroll-positions',
    'campaign',
  ]);
  expect(screen.getByRole('row', { name: /authToken/ })).toHaveTextContent('Cookie (path /, Secure)');
  expect(screen.getByRole('row', { name: /bucket/ })).toHaveTextContent('180 days');
});

test('says that the captcha keeps nothing in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  expect(screen.getByText(/^The captcha of the forms keeps nothing here/)).toBeInTheDocument();
});
