import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import SupportPolicyPage from './support-page.tsx';

test('shows the priority table as a table with headings', () => {
  renderPage(<SupportPolicyPage />, { path: '/policies/support' });
  const table = screen.getByRole('table', { name: 'Support priorities' });
  const [head, ...rows] = within(table).getAllByRole('row');
  const cells = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent.trim());
  expect(cells(head!)).toEqual(['Priority', 'Response', 'Resolution', 'Incidents']);
  expect(rows.map(cells)).toEqual([
    ['CRITICAL', '1 hour', '99% of faults in 1 to 4 hours during business hours', 'unlimited'],
    ['HIGH Affects 3 or more users', '1 business day', '85% in 1 to 2 working days', '7 to 9 per month'],
    [
      'MEDIUM Affects fewer than 3 users',
      '1 to 2 business days',
      '85% in 2 to 4 working days',
      '4 to 6 per month',
    ],
    ['NORMAL Low impact', '2 to 3 business days', '85% in 4 to 7 working days', '1 to 3 per month'],
  ]);
  expect(within(table).getAllByRole('rowheader')).toHaveLength(4);
});

test('states the support hours, the eligibility and the notifications', () => {
  const { container } = renderPage(<SupportPolicyPage />, { path: '/policies/support' });
  expect(container).toHaveTextContent('Support responds within 24 hours, Monday to Friday.');
  expect(container).toHaveTextContent('Free accounts get support through email or other channels');
  expect(container).toHaveTextContent('Commercial services get support per the purchased service');
  expect(container).toHaveTextContent('Every incident has an incident number');
  const states = ['New', 'Assigned', 'Resolved', 'Closed'].map((name) =>
    screen.getByText(name, { selector: 'strong' }),
  );
  expect([...container.querySelectorAll('ol strong')]).toEqual(states);
});

test("links to the brand's support places, and does not call a page an email address", () => {
  renderPage(<SupportPolicyPage />, { path: '/policies/support', config: { brand: { name: 'Acme' } } });
  const section = within(screen.getByRole('region', { name: 'Where to find us' }));
  expect(section.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['our support']);
});
