import { act, fireEvent, screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import HomePage from './home-page.tsx';
import { questions } from './home-page.data.ts';

beforeAll(() =>
  Promise.all([
    import('../api-console/live-console.tsx'),
    import('./home-audiences.tsx'),
    import('./home-in-the-box.tsx'),
    import('./start-steps.tsx'),
  ]),
);

const renderHome = (headline: 'a' | 'b') =>
  act(() => Promise.resolve(renderPage(<HomePage />, { path: '/home', variants: { headline } })));
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const campaign = (variant: string) => `?utm_source=home&utm_medium=cta&utm_campaign=docs_${variant}`;

test('headline A offers the blocks and a free account, each with the campaign docs_a', async () => {
  await renderHome('a');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('API MICROSERVICES');
  expect(screen.getByText(/fully managed backend blocks/i)).toBeInTheDocument();
  expect(link('Explore')).toBe(`/blocks${campaign('a')}`);
  expect(link('Open a Free Account')).toBe(`/start${campaign('a')}`);
});

test('headline B offers a free start and the documentation, each with the campaign docs_b', async () => {
  await renderHome('b');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('BACKEND AS A SERVICE');
  expect(screen.getByText(/lego pieces/i)).toBeInTheDocument();
  expect(link('Start Building Free')).toBe(`/start${campaign('b')}`);
  expect(link('View Documentation')).toBe(`/developers${campaign('b')}`);
});

test("only headline B links to the documentation, and neither shows the other's buttons", async () => {
  const { unmount } = await renderHome('a');
  expect(screen.queryByRole('link', { name: 'View Documentation' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Start Building Free' })).toBeNull();
  unmount();
  await renderHome('b');
  expect(screen.queryByRole('link', { name: 'Explore' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Open a Free Account' })).toBeNull();
});

test.each([
  ['Indie developers', '/indie', ['4 weeks', '80%']],
  ['Startups', '/startups', ['4 weeks', '80%']],
  ['Digital agencies', '/agencies', ['60%', '2–3', '25–40%', '+$15–50k']],
])('%s have a link to %s and their claims', async (name, path, claims) => {
  await renderHome('a');
  const audience = screen.getByRole('link', { name }).closest('li');
  if (!audience) throw new Error(`${name} is not in a list.`);
  expect(link(name)).toBe(path);
  for (const claim of claims) expect(within(audience).getByText(claim)).toBeInTheDocument();
});

test("shows the specification's three statistics", async () => {
  await renderHome('a');
  for (const [value, label] of [
    ['10x', 'faster time to market'],
    ['15+', 'production-ready blocks'],
    ['1000+', 'development hours saved'],
  ] as const) {
    expect(screen.getByText(label).parentElement).toHaveTextContent(`${label}${value}`);
  }
});

test('the parts list contains all 15 blocks', async () => {
  await renderHome('a');
  expect(within(screen.getByRole('list', { name: 'The blocks' })).getAllByRole('listitem')).toHaveLength(15);
});

test('the checked blocks lead to the assembler of /blocks', async () => {
  await renderHome('a');
  const form = screen.getByRole<HTMLFormElement>('form', { name: 'Assemble your backend' });
  const boxes = within(form).getAllByRole('checkbox');
  expect(boxes).toHaveLength(15);
  for (const box of [boxes[3], boxes[12]]) fireEvent.click(box as HTMLElement);
  expect([form.getAttribute('action'), form.method]).toEqual(['/blocks#assemble', 'get']);
  expect([...new FormData(form)]).toEqual([
    ['block', 'auth'],
    ['block', 'search'],
  ]);
});

test('shows four steps, in the order of the specification', async () => {
  await renderHome('a');
  const section = screen.getByRole('region', { name: 'How does it work?' });
  expect(
    within(section)
      .getAllByRole('heading', { level: 3 })
      .map((title) => title.textContent),
  ).toEqual(['Sign up and create an app', 'Choose blocks', 'Build and test', 'Integrate through REST APIs']);
});

test('mentions a free tier, pay-as-you-go pricing and a first month free without a credit card', async () => {
  await renderHome('a');
  const cost = screen.getByText('What does it cost to try?').closest('details');
  expect(cost).toHaveTextContent(
    /free tier with pay-as-you-go pricing, and the first month is free in a stage environment.*do not need a credit card/,
  );
});

test('six questions open and close independently', async () => {
  await renderHome('a');
  const items = questions.map(({ question }) => {
    const title = screen.getByText(question);
    const details = title.closest('details');
    if (!details) throw new Error(`"${question}" cannot be opened.`);
    return { title, details };
  });
  const opened = () => items.map(({ details }) => details.open);
  const click = (index: number) => fireEvent.click(items[index]?.title as HTMLElement);

  expect(opened()).toEqual([false, false, false, false, false, false]);
  click(1);
  click(4);
  expect(opened()).toEqual([false, true, false, false, true, false]);
  click(1);
  expect(opened()).toEqual([false, false, false, false, true, false]);
});

test('the last call to action links to /start/', async () => {
  await renderHome('a');
  expect(link('Get started')).toBe('/start/');
});
