import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ErrorSummary } from './error-summary.tsx';

const problems = [
  { field: 'email', message: 'Enter your email.' },
  { field: null, message: 'Try again later.' },
];

test('renders nothing without a problem', () => {
  render(<ErrorSummary problems={[]} />);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('takes the focus on appearance, and again on each attempt', () => {
  const { rerender } = render(<ErrorSummary problems={problems} attempt={1} />);
  expect(screen.getByRole('alert')).toHaveFocus();
  screen.getByRole('link').focus();
  rerender(<ErrorSummary problems={problems} attempt={2} />);
  expect(screen.getByRole('alert')).toHaveFocus();
});

test('links to the field of a problem, and has no link for a problem without one', async () => {
  render(
    <>
      <ErrorSummary problems={problems} />
      <input id="email" />
    </>,
  );
  await userEvent.click(screen.getByRole('link', { name: 'Enter your email.' }));
  expect(screen.getByRole('textbox')).toHaveFocus();
  expect(screen.getAllByRole('link')).toHaveLength(1);
});
