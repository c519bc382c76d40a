import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ToggleGroup } from './toggle-group.tsx';

const options = [
  { value: 'all', label: 'All' },
  { value: 'agency', label: 'Digital Agency' },
];

test('shows the selection and reports a change', async () => {
  const onChange = jest.fn();
  render(<ToggleGroup label="Stories" value="all" options={options} onChange={onChange} />);
  expect(screen.getByRole('group', { name: 'Stories' })).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
  await userEvent.click(screen.getByText('Digital Agency'));
  expect(onChange).toHaveBeenCalledWith('agency');
});
