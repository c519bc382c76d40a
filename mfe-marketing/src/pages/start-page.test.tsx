import { act, screen, within } from '@testing-library/react';
import { renderPage, testBrand, type RenderPageOptions } from '@site/testing/render-page';
import StartPage from './start-page.tsx';

const open = (options?: RenderPageOptions) =>
  act(() => Promise.resolve(renderPage(<StartPage />, { path: '/start', ...options })));

const article = (name: string) => {
  const found = screen.getByRole('heading', { level: 3, name }).closest('article');
  if (!found) throw new Error(`${name} is not a plan.`);
  return found;
};

test.each(['production', 'staging'] as const)(
  'in %s, starting now links to the sign-up of that application',
  async (mode) => {
    await open({ config: { mode } });
    const card = screen.getByRole('region', { name: 'Free Plan' });
    expect(within(card).getByRole('link', { name: 'Start now' })).toHaveAttribute(
      'href',
      `${testBrand.application[mode]}/auth/register?plan=free`,
    );
  },
);

test('the free plan is one month free in the stage environment, without a credit card', async () => {
  await open();
  const card = screen.getByRole('region', { name: 'Free Plan' });
  expect(card).toHaveTextContent(/1 × month free.*1 × stage environment.*0 × credit cards/);
});

test('"Not sure" links to the contact page', async () => {
  await open();
  const card = screen.getByRole('region', { name: 'Not Sure' });
  expect(within(card).getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', testBrand.contact);
});

test.each([
  ['Developers', /Pioneers offer.*\$59\.99 per month.*Regular price \$79\.99/],
  ['Startups', /\$65\.99 per month.*Regular price \$69\.99/],
  ['Agencies', /from \$79\.99 per month/],
])("the plan for %s has the specification's price", async (name, price) => {
  await open();
  expect(article(name)).toHaveTextContent(price);
});

test.each(['Developers', 'Startups', 'Agencies'])('passes the plan %s to the sign-up', async (name) => {
  await open({ config: { mode: 'staging' } });
  expect(screen.getByRole('link', { name: `Choose ${name}` })).toHaveAttribute(
    'href',
    `${testBrand.application.staging}/auth/register?plan=${name.toLowerCase()}`,
  );
});

test('each plan includes 1 block, 1,000 internal users and the environments Dev, Stage and Prod', async () => {
  await open();
  for (const name of ['Developers', 'Startups', 'Agencies']) {
    expect(
      within(article(name))
        .getAllByRole('listitem')
        .map((part) => part.textContent),
    ).toEqual(['1 × block', '1,000 × internal users', '3 × environments: Dev, Stage and Prod']);
  }
});

test('four steps lead to a product, each with its screen', async () => {
  await open();
  const section = screen.getByRole('region', { name: 'Sign up and start in four steps' });
  expect(within(section).getAllByRole('heading', { level: 3 })).toHaveLength(4);
  expect(within(section).getAllByRole('img')).toHaveLength(4);
});

test.each([
  ['Developers', '$659.89'],
  ['Startups', '$725.89'],
  ['Agencies', 'from $879.89'],
])('the sample first year of %s is one free month and eleven paid ones', async (name, total) => {
  await open();
  expect(screen.getByRole('row', { name: new RegExp(`^${name}`) })).toHaveTextContent(total);
});

test('explains pay-as-you-go, for which the specification has no price, and whom to ask', async () => {
  await open();
  expect(screen.getByText('What is pay-as-you-go?').closest('details')).toHaveTextContent(
    /ask us: you get a price within 24 hours, Monday to Friday/,
  );
});
