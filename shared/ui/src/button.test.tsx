import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Button, ButtonLink } from './button.tsx';

test('a button does not submit its form by default', () => {
  render(
    <form>
      <Button>Add</Button>
      <Button type="submit">Send</Button>
    </form>,
  );
  expect(screen.getByRole('button', { name: 'Add' })).toHaveAttribute('type', 'button');
  expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('type', 'submit');
});

test('links to a page of the site or elsewhere', () => {
  render(
    <MemoryRouter>
      <ButtonLink to="/start?from=test" variant="primary">
        Start
      </ButtonLink>
      <ButtonLink href="https://elsewhere.test/">Elsewhere</ButtonLink>
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name: 'Start' })).toHaveAttribute('href', '/start?from=test');
  expect(screen.getByRole('link', { name: 'Elsewhere' })).toHaveAttribute('href', 'https://elsewhere.test/');
  expect(screen.getByRole('link', { name: 'Elsewhere' })).toHaveAttribute('rel', 'noopener');
});
