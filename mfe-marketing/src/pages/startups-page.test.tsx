import { act, screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import StartupsPage from './startups-page.tsx';
import { benefits, features } from './startups-page.data.ts';

async function open() {
  await act(() => Promise.resolve(renderPage(<StartupsPage />)));
}

test('shows the four weeks of the MVP in order', async () => {
  await open();
  const plan = screen.getByRole('region', { name: 'The 4-week plan' });
  expect(
    within(plan)
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent),
  ).toEqual(['Setup and authentication', 'Core features', 'Payments and polish', 'Launch ready']);
  expect(within(plan).getByText('Week 4')).toBeVisible();
});

test('has three benefits and ten MVP features, each from a different block', async () => {
  await open();
  expect(benefits).toHaveLength(3);
  expect(new Set(features.map((feature) => feature.block)).size).toBe(10);
  for (const { name } of [...features]) expect(screen.getByText(name)).toBeVisible();
});

test('each benefit has a screen with a text alternative', async () => {
  await open();
  const section = screen.getByRole('region', { name: 'Built to launch, and to keep' });
  expect(within(section).getAllByRole('img')).toHaveLength(3);
});

test('shows three sample stories with challenge, solution, result and funding', async () => {
  await open();
  const stories = screen.getAllByRole('article');
  expect(stories).toHaveLength(3);
  const section = within(screen.getByRole('region', { name: 'Three ways to spend four weeks' }));
  expect(section.getByText('Sample builds')).toBeVisible();
  expect(section.getAllByRole('article')).toEqual(stories);
  for (const story of stories) {
    expect(
      within(story)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(['Challenge', 'Solution', 'Result', 'Funding']);
  }
});

test("shows each story's startup and its industry", async () => {
  await open();
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

test('links to the blocks', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Explore the blocks' })).toHaveAttribute('href', '/blocks');
});
