import { act, screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { agencyClaims } from './agencies-page.data.ts';
import AgenciesPage from './agencies-page.tsx';

async function open() {
  await act(() => Promise.resolve(renderPage(<AgenciesPage />)));
}

test('has the headline and the buttons of the specification', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Win More Projects, Deliver Faster');
  expect(screen.getByRole('link', { name: 'Scale Your Agency' })).toHaveAttribute('href', '/start');
  expect(screen.getByRole('link', { name: 'View Case Studies' })).toHaveAttribute(
    'href',
    '/cases?filter=digital-agency',
  );
  expect(screen.getByRole('link', { name: 'Start Your Agency Trial' })).toHaveAttribute('href', '/start');
  expect(screen.getByRole('link', { name: 'Explore All Solutions' })).toHaveAttribute('href', '/blocks');
});

test('opens on the calculator', async () => {
  await open();
  const [first] = screen.getAllByRole('region');
  expect(first).toContainElement(screen.getByRole('heading', { name: 'ROI Calculator' }));
});

test('has all sections, in order', async () => {
  await open();
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Your Competitive Edge',
    'Why top agencies choose blocks',
    'Projects you can quote tomorrow',
    'Agency Success Stories',
    'Start with the next pitch',
  ]);
  expect(screen.getByRole('heading', { name: 'ROI Calculator' })).toBeVisible();
});

test("states exactly the specification's figures for agencies", async () => {
  await open();
  const figures = agencyClaims.map(({ label }) => screen.getByText(label).parentElement?.textContent);
  expect(figures).toEqual([
    'time reduction60%',
    'more projects a month2–3',
    'premium rate increase25–40%',
    'monthly revenue impact+$15–50k',
  ]);
});

test('labels the success stories as sample builds', async () => {
  await open();
  const stories = screen.getAllByRole('article');
  expect(stories).toHaveLength(3);
  expect(screen.getByText('Sample builds').closest('section')).toContainElement(stories[0] ?? null);
});
