import { screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import CookiesPage from './cookies-page.tsx';

test('lists everything that the site stores in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual([
    'authToken',
    '__Host-Http-bucket',
    '__Host-Http-preview',
    '__Host-Http-cleared',
    'theme',
    'newsletter:…',
    'form:…',
    'scroll-positions',
    'campaign',
  ]);
  expect(screen.getByRole('row', { name: /authToken/ })).toHaveTextContent('Cookie (path /, Secure)');
  expect(screen.getByRole('row', { name: /bucket/ })).toHaveTextContent('180 days');
});

test('does not describe the stored campaign as necessary', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const section = screen.getByRole('region', { name: 'Why there is no banner' });
  expect(section).toHaveTextContent('Everything in the list except campaign serves a function you use');
});

test('states that the captcha stores nothing in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  expect(screen.getByText(/^The forms’ captcha stores nothing/)).toBeInTheDocument();
});
