import { render, screen } from '@testing-library/react';
import { Picture } from './picture.tsx';

const decoration = { src: '/assets/a.svg', width: 20, height: 10 };
const named = { ...decoration, title: 'A bridge' };

test('a drawing is decoration until it has a title', () => {
  const { rerender, container } = render(<Picture art={decoration} />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
  expect(container.querySelector('img')).toHaveAttribute('alt', '');
  rerender(<Picture art={named} />);
  expect(screen.getByRole('img', { name: 'A bridge' })).toBeInTheDocument();
});

test('reserves its size, and loads lazily', () => {
  render(<Picture art={named} />);
  const image = screen.getByRole('img');
  expect(image).toHaveAttribute('src', '/assets/a.svg');
  expect(image).toHaveAttribute('width', '20');
  expect(image).toHaveAttribute('height', '10');
  expect(image).toHaveAttribute('loading', 'lazy');
});

test('loads eagerly above the fold', () => {
  render(<Picture first art={named} />);
  expect(screen.getByRole('img')).not.toHaveAttribute('loading');
  expect(screen.getByRole('img')).toHaveAttribute('fetchpriority', 'high');
});

test("shows the drawing's texts over it, and announces only its title", () => {
  const texts = [{ x: 1, y: 2, text: 'Auth', count: 3, anchor: 'end' as const }];
  const { container } = render(<Picture art={{ ...named, labels: { viewBox: '0 0 20 10', texts } }} />);
  const text = container.querySelector('svg[aria-hidden="true"] text');
  expect(text).toHaveTextContent('3 × Auth');
  expect(text).toHaveAttribute('text-anchor', 'end');
  expect(screen.getAllByRole('img')).toHaveLength(1);
});
