import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import IndiePage from './indie-page.tsx';

const renderIndie = () => renderPage(<IndiePage />, { path: '/indie' });

test('claims a 4-week MVP and an 80 percent time reduction', () => {
  renderIndie();
  const section = screen.getByRole('region', { name: 'Benefits' });
  expect(within(section).getByRole('heading', { name: '4-week MVP' })).toBeInTheDocument();
  expect(within(section).getByRole('heading', { name: '80 percent time reduction' })).toBeInTheDocument();
});

test('marks every testimonial as an example scenario', () => {
  const { container } = renderIndie();
  const quotes = [...container.querySelectorAll('blockquote')];
  expect(quotes).toHaveLength(3);
  for (const quote of quotes) expect(quote.closest('figure')).toHaveTextContent('Example scenario');
});

test('marks every use case as an example scenario', () => {
  renderIndie();
  const section = screen.getByRole('region', { name: 'Use cases' });
  const cases = within(section).getAllByRole('heading', { level: 3 });
  expect(cases).toHaveLength(4);
  for (const each of cases) expect(each.closest('li')).toHaveTextContent('Example scenario');
});

test('every use case lists its blocks', () => {
  renderIndie();
  expect(screen.getAllByRole('list', { name: /^Parts for / }).map((list) => list.textContent)).toEqual([
    '1 × Auth1 × Forms1 × Real Time',
    '1 × University1 × Content1 × Auth',
    '1 × Products1 × Sales1 × Rewards',
    '1 × Geolocation1 × Search1 × Content',
  ]);
});

test('its buttons link to the blocks', () => {
  renderIndie();
  for (const link of screen.getAllByRole('link', { name: 'Explore the blocks' })) {
    expect(link).toHaveAttribute('href', '/blocks');
  }
});
