import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import PrivacyPage from './privacy-page.tsx';

test('says what the captcha and the hidden field of the forms do', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const forms = screen.getByRole('region', { name: 'What you send us' });
  expect(
    within(forms).getByText(/captcha that asks you nothing.*Without JavaScript there is none/),
  ).toBeVisible();
  expect(within(forms).getByText(/a field that people do not see/)).toBeVisible();
});

test('leads to the list of what is kept in the browser', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const guest = screen.getByRole('region', { name: 'Your guest identity' });
  expect(within(guest).getByRole('link', { name: 'cookie policy' })).toHaveAttribute(
    'href',
    '/policies/cookies',
  );
});

test('says what browsers tell of a page, what is removed of it, and what they send by themselves', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const pages = within(screen.getByRole('region', { name: 'How well our pages work' }));
  expect(pages.getByText(/we remove search words, email addresses and long numbers/)).toHaveTextContent(
    'one may quote a word of what failed',
  );
  expect(pages.getByText(/report by themselves/)).toHaveTextContent('whatever these settings say');
});
