import { screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import CookiesPage from './cookies-page.tsx';

test('names everything that the site keeps in the browser', () => {
  renderPage(<CookiesPage />, { path: '/policies/cookies' });
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual(['authToken', 'theme', 'newsletter:…', 'react-router-scroll-positions']);
  expect(screen.getByRole('row', { name: /authToken/ })).toHaveTextContent('Cookie (path /, Secure)');
});
