import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import PrivacyPage from './privacy-page.tsx';

test('explains the captcha and the honeypot of the forms', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const forms = screen.getByRole('region', { name: 'What you send us' });
  expect(
    within(forms).getByText(/captcha that you never see.*Without JavaScript there is no captcha/),
  ).toBeVisible();
  expect(within(forms).getByText(/a hidden field/)).toBeVisible();
});

test('links to the list of browser storage', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const guest = screen.getByRole('region', { name: 'Your guest identity' });
  expect(within(guest).getByRole('link', { name: 'cookie policy' })).toHaveAttribute(
    'href',
    '/policies/cookies',
  );
});

test('explains the browser reports, their redaction, and the automatic ones', () => {
  renderPage(<PrivacyPage />, { path: '/policies/privacy' });
  const pages = within(screen.getByRole('region', { name: 'How well our pages work' }));
  expect(pages.getByText(/We remove search terms, email addresses and long numbers/)).toHaveTextContent(
    'one may quote a word of the code or data that failed',
  );
  expect(pages.getByText(/on their own/)).toHaveTextContent('regardless of these settings');
});
