import { render, screen } from '@testing-library/react';
import { DataTable } from './data-table.tsx';

test('labels the table, its columns and its rows, and scrolls by keyboard', () => {
  render(
    <DataTable caption="Priorities" columns={['Priority', 'Response']} rows={[['CRITICAL', '1 hour']]} />,
  );
  expect(screen.getByRole('table', { name: 'Priorities' })).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: 'Response' })).toBeInTheDocument();
  expect(screen.getByRole('rowheader', { name: 'CRITICAL' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: '1 hour' })).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Priorities' })).toHaveAttribute('tabindex', '0');
});
