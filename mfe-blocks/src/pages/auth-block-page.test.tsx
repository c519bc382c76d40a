import { screen, within } from '@testing-library/react';
import { renderPage, testBrand, type RenderPageOptions } from '@site/testing/render-page';
import AuthBlockPage from './auth-block-page.tsx';

const path = '/blocks/auth';

async function show(options: RenderPageOptions) {
  renderPage(<AuthBlockPage />, options);
  await screen.findByRole('region', { name: 'Three flows, five calls' });
}

test('is titled "Auth Block" and links back to the home page', async () => {
  await show({ path });
  expect(screen.getByRole('heading', { level: 1, name: 'Auth Block' })).toBeVisible();
  // A navigation link is not part of the page's text, so the search does not index it.
  const back = within(screen.getByRole('navigation', { name: 'Back' })).getByRole('link');
  expect(back).toHaveAccessibleName('Back to home');
  expect(back).toHaveAttribute('href', '/home');
});

test.each(['production', 'staging'] as const)(
  'links to the sign-up of the %s application, and to its calls',
  async (mode) => {
    await show({ path, config: { mode } });
    for (const link of screen.getAllByRole('link', { name: 'Start Using This Block' })) {
      expect(link).toHaveAttribute('href', `${testBrand.application[mode]}/auth/register`);
    }
    expect(screen.getByRole('link', { name: 'View Documentation' })).toHaveAttribute(
      'href',
      '/blocks/auth#flows',
    );
  },
);

test('has the sections of the specification', async () => {
  await show({ path });
  for (const name of [
    'Key Features',
    'Customer Success Stories',
    'Common Use Cases',
    'Infrastructure Benefits',
  ]) {
    expect(screen.getByRole('region', { name })).toBeVisible();
  }
});

test('explains registration, login and password recovery, each with a code sample', async () => {
  await show({ path });
  const flows = within(screen.getByRole('region', { name: 'Three flows, five calls' })).getAllByRole(
    'listitem',
  );
  expect(flows.map((flow) => within(flow).getByRole('heading', { level: 3 }).textContent)).toEqual([
    'Registration',
    'Login',
    'Password recovery',
  ]);
  for (const flow of flows) expect(flow.querySelector('pre code')).not.toBeEmptyDOMElement();
});

test('marks the three success stories once as sample builds', async () => {
  await show({ path });
  const stories = within(screen.getByRole('region', { name: 'Customer Success Stories' }));
  expect(stories.getAllByRole('article')).toHaveLength(3);
  expect(stories.getByText('Sample builds')).toBeVisible();
});

test("lists the four infrastructure benefits in the specification's words", async () => {
  await show({ path });
  const benefits = within(screen.getByRole('region', { name: 'Infrastructure Benefits' })).getAllByRole(
    'article',
  );
  expect(benefits.map((benefit) => benefit.textContent)).toEqual([
    'Cloud ReadyHosted on a cloud provider with high availability.',
    'SecureEnterprise-grade security.',
    'FastOptimized for performance.',
    'Developer FriendlyREST APIs with clear documentation.',
  ]);
});
