import { act } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { usePageQuery } from './use-page-query.ts';

function Shown() {
  const [query] = usePageQuery();
  return <p>{query.get('filter') ?? 'nothing'}</p>;
}

const page = (path: string) => (
  <MemoryRouter initialEntries={[path]}>
    <Shown />
  </MemoryRouter>
);

test('a page rendered ahead of time without a query hydrates under any query, then shows it', () => {
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
