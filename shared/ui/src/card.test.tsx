import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Card } from './card.tsx';

test('a card with a target has one link, named by its title', () => {
  render(
    <MemoryRouter>
      <Card title="Auth" to="/blocks/auth" level={2}>
        <p>Users.</p>
      </Card>
    </MemoryRouter>,
  );
  expect(screen.getByRole('link')).toHaveAccessibleName('Auth');
  expect(screen.getByRole('heading', { level: 2, name: 'Auth' })).toBeInTheDocument();
});

test('a card without a target has no link', () => {
  render(<Card title="Auth" />);
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
});
