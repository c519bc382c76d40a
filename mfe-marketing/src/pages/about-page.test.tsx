import { screen, within } from '@testing-library/react';
import { renderPage, testBrand } from '@site/testing/render-page';
import AboutPage from './about-page.tsx';

async function renderAbout(options: Parameters<typeof renderPage>[1] = {}) {
  const rendered = renderPage(<AboutPage />, { path: '/about-us', ...options });
  await screen.findByRole('region', { name: 'Main features' });
  return rendered;
}

test('shows the company story', async () => {
  await renderAbout();
  const story = screen.getByRole('region', { name: 'Our story' });
  expect(within(story).getByText(/^Most products begin with the same parts/)).toBeVisible();
  expect(within(story).getByText(/^We make those parts once/)).toBeVisible();
  expect(within(story).getByRole('link', { name: 'Start here' })).toHaveAttribute('href', '/start');
});

test('mentions a free tier with pay-as-you-go pricing', async () => {
  await renderAbout();
  const investors = screen.getByRole('region', { name: 'Investors' });
  expect(within(investors).getByText(/a free tier with pay-as-you-go pricing/)).toBeVisible();
});

test('lists the four main features', async () => {
  await renderAbout();
  const section = screen.getByRole('region', { name: 'Main features' });
  expect(
    within(section)
      .getAllByRole('heading', { level: 3 })
      .map((title) => title.textContent),
  ).toEqual(['Ready for Production', 'Cloud-Based', 'Secure - Isolated', 'High Availability']);
});

test('lists the offices in the United States and Colombia', async () => {
  await renderAbout();
  const section = screen.getByRole('region', { name: 'Two offices, one workday' });
  expect(within(section).getByText('United States', { selector: 'dt' })).toBeInTheDocument();
  expect(within(section).getByText('Colombia', { selector: 'dt' })).toBeInTheDocument();
});

test("lists the brand's place under the United States only if it is there", async () => {
  const offices = () => screen.getByRole('region', { name: 'Two offices, one workday' });
  const { unmount } = await renderAbout();
  expect(offices()).toHaveTextContent('Boulder, Colorado');
  unmount();
  const address = { ...testBrand.address, city: 'Saarlouis', region: 'Saarland', country: 'Germany' };
  await renderAbout({ config: { brand: { ...testBrand, address } } });
  expect(offices()).not.toHaveTextContent('Saarlouis');
});

test('the links to team and investors in the footer have their sections', async () => {
  await renderAbout();
  expect(screen.getByRole('region', { name: 'Team' })).toHaveAttribute('id', 'team');
  expect(screen.getByRole('region', { name: 'Investors' })).toHaveAttribute('id', 'investors');
});

test('"Start here" links to the start page', async () => {
  await renderAbout();
  for (const link of screen.getAllByRole('link', { name: 'Start here' })) {
    expect(link).toHaveAttribute('href', '/start');
  }
});
