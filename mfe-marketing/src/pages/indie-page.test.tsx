import { act, screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import IndiePage from './indie-page.tsx';

const renderIndie = () => act(() => Promise.resolve(renderPage(<IndiePage />, { path: '/indie' })));

test('claims a 4-week MVP and an 80 percent time reduction', async () => {
  await renderIndie();
  const section = screen.getByRole('region', { name: 'Benefits' });
  expect(within(section).getByRole('heading', { name: '4-week MVP' })).toBeInTheDocument();
  expect(within(section).getByRole('heading', { name: '80 percent time reduction' })).toBeInTheDocument();
});

test('labels the screens, use cases and testimonials as sample builds, once each', async () => {
  const { container } = await renderIndie();
  expect(container.querySelectorAll('blockquote')).toHaveLength(3);
  const labeled = screen.getAllByText('Sample builds').map((badge) => badge.closest('section')?.id);
  expect(labeled).toEqual(['benefits', 'use-cases', 'words']);
  expect(container.querySelector('blockquote')?.closest('section')?.id).toBe('words');
});

test('its screens are images with a text alternative', async () => {
  await renderIndie();
  expect(screen.getByRole('img', { name: /^A login form next to the call/ })).toBeVisible();
  expect(screen.getByRole('img', { name: /^A telemetry chart/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Log in' })).not.toBeInTheDocument();
});

test('every use case lists its blocks', async () => {
  await renderIndie();
  expect(screen.getAllByRole('list', { name: /^Parts for / }).map((list) => list.textContent)).toEqual([
    '1 × Auth1 × Forms1 × Real Time',
    '1 × University1 × Content1 × Auth',
    '1 × Products1 × Sales1 × Rewards',
    '1 × Geolocation1 × Search1 × Content',
  ]);
});

test('its buttons link to the blocks', async () => {
  await renderIndie();
  for (const link of screen.getAllByRole('link', { name: 'Explore the blocks' })) {
    expect(link).toHaveAttribute('href', '/blocks');
  }
});
