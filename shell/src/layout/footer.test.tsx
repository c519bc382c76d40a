import { cleanup, screen, within } from '@testing-library/react';
import { renderPage, testBrand } from '@site/testing/render-page';
import { Footer } from './footer.tsx';

beforeEach(() => {
  renderPage(<Footer />);
});

test("shows the specification's texts", () => {
  const footer = screen.getByRole('contentinfo');
  const texts = ['Plug. Build. Ship.', 'Made with love in Boulder, Colorado', 'Remote Worldwide', /© 2025/];
  for (const text of texts) expect(within(footer).getByText(text)).toBeInTheDocument();
});

test('the Company column links to the company paths', () => {
  const links = within(screen.getByRole('navigation', { name: 'Company' })).getAllByRole('link');
  expect(Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute('href')]))).toEqual({
    'About Us': '/about-us',
    Team: '/company/team',
    Partners: '/partners',
    Investors: '/company/investors',
    'Study Cases': '/cases',
  });
});

test('has no heading in the address, which HTML forbids, and all contact links', () => {
  const address = screen.getByRole('contentinfo').querySelector('address')!;
  expect(within(address).queryAllByRole('heading')).toEqual([]);
  expect(
    within(address)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([testBrand.email, testBrand.phone]);
});

test('has the columns Features and Developers', () => {
  expect(screen.getByRole('navigation', { name: 'Features' })).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Developers' })).toBeInTheDocument();
});

test.each([
  ['Privacy', '/policies/privacy'],
  ['Terms', '/policies/terms-and-conditions'],
  ['Cookies', '/policies/cookies'],
  [testBrand.email, `mailto:${testBrand.email}`],
  [testBrand.phone, 'tel:+13035550142'],
  ['Contact', testBrand.contact],
  ...['X', 'LinkedIn', 'Instagram'].map((name): [string, string] => [
    name,
    testBrand.social[name.toLowerCase() as keyof typeof testBrand.social],
  ]),
])('%s leads to %s', (name, href) => {
  expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
});

test("omits the brand's missing entries, and has no empty links", () => {
  cleanup();
  renderPage(<Footer />, { config: { brand: { name: 'Acme', email: '', social: { x: '' } } } });
  const footer = screen.getByRole('contentinfo');
  expect(footer).toHaveTextContent('© Acme');
  expect(footer).not.toHaveTextContent('Made with love');
  for (const name of ['X', 'LinkedIn', 'Instagram', 'Contact', 'Platform Status'])
    expect(within(footer).queryByRole('link', { name })).toBeNull();
  // Includes the links without a target, which assistive technology does not announce as links.
  for (const link of footer.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^\/[a-z]/);
});
