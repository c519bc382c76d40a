import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { brand } from '@site/kit';
import { Footer } from './footer.tsx';

beforeEach(() => {
  renderPage(<Footer />);
});

test('says what the specification has it say', () => {
  const footer = screen.getByRole('contentinfo');
  const texts = ['Plug. Build. Ship.', 'Made with love in Boulder, Colorado', 'Remote Worldwide', /© 2025/];
  for (const text of texts) expect(within(footer).getByText(text)).toBeInTheDocument();
});

test('the Company column leads to the company paths', () => {
  const links = within(screen.getByRole('navigation', { name: 'Company' })).getAllByRole('link');
  expect(Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute('href')]))).toEqual({
    'About Us': '/about-us',
    Team: '/company/team',
    Partners: '/partners',
    Investors: '/company/investors',
    'Study Cases': '/cases',
  });
});

test('has no heading in the address, which HTML forbids, and all ways to write or call', () => {
  const address = screen.getByRole('contentinfo').querySelector('address')!;
  expect(within(address).queryAllByRole('heading')).toEqual([]);
  expect(
    within(address)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([brand.email, brand.phone.display]);
});

test('has the columns Features and Developers', () => {
  expect(screen.getByRole('navigation', { name: 'Features' })).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Developers' })).toBeInTheDocument();
});

test.each([
  ['Privacy', '/policies/privacy'],
  ['Terms', '/policies/terms-and-conditions'],
  ['Cookies', '/policies/cookies'],
  [brand.email, `mailto:${brand.email}`],
  [brand.phone.display, brand.phone.href],
  ...brand.social.map(({ name, href }): [string, string] => [name, href]),
])('%s leads to %s', (name, href) => {
  expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
});
