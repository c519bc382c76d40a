import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Secret } from './secret.tsx';

test('a copied secret is confirmed', async () => {
  const user = userEvent.setup();
  render(<Secret label="Token" value="site_x" />);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe('site_x');
});

test('if copying is blocked, the message says what to do', async () => {
  const user = userEvent.setup();
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  render(<Secret label="Token" value="site_x" />);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByText(/Your browser blocked copying\./)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
});
