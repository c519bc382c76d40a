import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CodeSample } from './code-sample.tsx';

const code = "await fetch('/guests', { method: 'POST' });";

test('shows the code unchanged and copies exactly that', async () => {
  const user = userEvent.setup();
  render(<CodeSample title="Create a guest" code={code} />);
  expect(screen.getByRole('region', { name: 'Create a guest' })).toHaveTextContent(code);
  await user.click(screen.getByRole('button', { name: 'Copy: Create a guest' }));
  expect(await navigator.clipboard.readText()).toBe(code);
  expect(screen.getByRole('status')).toHaveTextContent('Copied');
});

test('reports that the browser does not allow copying', async () => {
  const user = userEvent.setup();
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  render(<CodeSample title="Create a guest" code={code} />);
  await user.click(screen.getByRole('button'));
  expect(screen.getByRole('status')).toHaveTextContent('not allowed');
});
