import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import StartupsPage from './startups-page.tsx';
import { benefits, features } from './startups-page.data.ts';

test('shows the four weeks of the MVP in order', () => {
  renderPage(<StartupsPage />);
  const plan = screen.getByRole('region', { name: 'The 4-week plan' });
  expect(
    within(plan)
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent),
  ).toEqual(['Setup and authentication', 'Core features', 'Payments and polish', 'Launch ready']);
  expect(within(plan).getByText('Week 4')).toBeVisible();
});

test('has three benefits and ten MVP features, each from a different block', () => {
  renderPage(<StartupsPage />);
  expect(benefits).toHaveLength(3);
  expect(new Set(features.map((feature) => feature.block)).size).toBe(10);
  for (const { name } of [...features]) expect(screen.getByText(name)).toBeVisible();
});

test('shows three example stories with challenge, solution, result and funding', () => {
  renderPage(<StartupsPage />);
  const stories = screen.getAllByRole('article');
  expect(stories).toHaveLength(3);
  for (const story of stories) {
    expect(story).toHaveTextContent('Example scenario');
    expect(
      within(story)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(['Challenge', 'Solution', 'Result', 'Funding']);
  }
});

test("shows each story's startup and its industry", () => {
  renderPage(<StartupsPage />);
  const told = screen.getAllByRole('article').map((story) => {
    const name = within(story).getByRole('heading', { level: 3 });
    return [name.textContent, name.nextElementSibling?.textContent];
  });
  expect(told).toEqual([
    ['Trailhead', 'Education'],
    ['Corner Pantry', 'Local food retail'],
    ['Fleetnote', 'Logistics'],
  ]);
});

test('links to the blocks', () => {
  renderPage(<StartupsPage />);
  expect(screen.getByRole('link', { name: 'Explore the blocks' })).toHaveAttribute('href', '/blocks');
});
