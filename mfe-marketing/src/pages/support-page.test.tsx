import { screen, within } from '@testing-library/react';
import { renderPage, testBrand } from '@site/testing/render-page';
import SupportPage from './support-page.tsx';

test('promises an answer within 24 hours, Monday to Friday', () => {
  renderPage(<SupportPage />);
  expect(screen.getByText('Support responds within 24 hours, Monday to Friday.')).toBeVisible();
});

test('links to the status page, the support center and the policy', () => {
  renderPage(<SupportPage />);
  const [status] = screen.getAllByRole('link', { name: 'Platform Status' });
  const [center] = screen.getAllByRole('link', { name: 'Support Center' });
  expect(status).toHaveAttribute('href', testBrand.status);
  expect(center).toHaveAttribute('href', testBrand.support);
  expect(screen.getByRole('link', { name: 'support policy' })).toHaveAttribute('href', '/policies/support');
});

test('explains how to get help with free accounts and with commercial services', () => {
  renderPage(<SupportPage />);
  const plans = within(screen.getByRole('region', { name: 'How to get help, by plan' }));
  expect(plans.getByText('Email or other channels')).toBeVisible();
  expect(plans.getByText('Per the purchased service')).toBeVisible();
});

test("shows the specification's priority table", () => {
  renderPage(<SupportPage />);
  const [, ...rows] = within(screen.getByRole('table', { name: 'Support priorities' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['CRITICAL', '1 hour', '99% of faults in 1 to 4 hours during business hours', 'unlimited'],
    ['HIGHAffects 3 or more users', '1 business day', '85% in 1 to 2 working days', '7 to 9 per month'],
    [
      'MEDIUMAffects fewer than 3 users',
      '1 to 2 business days',
      '85% in 2 to 4 working days',
      '4 to 6 per month',
    ],
    ['NORMALLow impact', '2 to 3 business days', '85% in 4 to 7 working days', '1 to 3 per month'],
  ]);
});

test('lists the four notifications of an incident in order', () => {
  renderPage(<SupportPage />);
  const report = within(screen.getByRole('region', { name: 'What happens with your report' }));
  expect(report.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'New',
    'Assigned',
    'Resolved',
    'Closed',
  ]);
});
