import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { usePageFilter, usePageQuery } from './page-query.ts';

function Shown() {
  const [query] = usePageQuery();
  return <p>{query.get('filter') ?? 'nothing'}</p>;
}

const page = (path: string) => (
  <MemoryRouter initialEntries={[path]}>
    <Shown />
  </MemoryRouter>
);

test('a prerendered page hydrates under any query, then applies it', () => {
  const root = document.createElement('div');
  root.innerHTML = renderToString(page('/cases'));
  expect(root).toHaveTextContent('nothing');
  const problems: unknown[] = [];
  let hydrated: Root | undefined;
  act(() => {
    hydrated = hydrateRoot(root, page('/cases?filter=digital-agency'), {
      onRecoverableError: (problem) => problems.push(problem),
    });
  });
  expect(problems).toEqual([]);
  expect(root).toHaveTextContent('digital-agency');
  act(() => hydrated?.unmount());
});

const options = [{ value: 'all' }, { value: 'people' }, { value: 'growth' }] as const;

function Filtered() {
  const [filter, show] = usePageFilter(options);
  return (
    <>
      <output>{`${filter} at ${useLocation().search}`}</output>
      {options.map(({ value }) => (
        <button key={value} type="button" onClick={() => show(value)}>
          {value}
        </button>
      ))}
    </>
  );
}

const filtered = (path: string) =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <Filtered />
    </MemoryRouter>,
  );

test('a filter is in the URL next to other parameters, except for the default option', async () => {
  filtered('/blocks?utm_source=home');
  expect(screen.getByRole('status')).toHaveTextContent('all at ?utm_source=home');
  await userEvent.click(screen.getByRole('button', { name: 'people' }));
  expect(screen.getByRole('status')).toHaveTextContent('people at ?utm_source=home&filter=people');
  await userEvent.click(screen.getByRole('button', { name: 'all' }));
  expect(screen.getByRole('status').textContent).toBe('all at ?utm_source=home');
});

test.each(['nobody', '', 'PEOPLE', '<b>'])('%j in a URL is not a filter', (filter) => {
  filtered(`/blocks?filter=${encodeURIComponent(filter)}`);
  expect(screen.getByRole('status')).toHaveTextContent(/^all at/);
});
