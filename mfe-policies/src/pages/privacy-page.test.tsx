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
