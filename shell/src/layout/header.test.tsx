import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage, testBrand } from '@site/testing/render-page';
import { stubDialog } from '@site/testing/stub-dialog';
import { Header } from './header.tsx';

let restoreDialog: () => void;
beforeEach(() => {
  restoreDialog = stubDialog();
});
afterEach(() => {
  restoreDialog();
});

const mainNavigation = () => screen.getByRole('navigation', { name: 'Main' });
const link = (name: string) => within(mainNavigation()).getByRole('link', { name });

test("links to the specification's pages, in its order", () => {
  renderPage(<Header />, { path: '/home' });
  const links = ['HOME', 'BLOCKS', 'START building', 'SUPPORT', 'DEVELOPERS'].map((name) =>
    link(name).getAttribute('href'),
  );
  expect(links).toEqual(['/home', '/blocks', '/start', '/support', '/developers']);
});

test.each([
  ['/blocks', 'BLOCKS', 'page'],
  ['/start/', 'START building', 'page'],
  ['/blocks/auth', 'BLOCKS', 'true'],
])('on %s only the link %s is current', (path, name, current) => {
  renderPage(<Header />, { path });
  expect(link(name)).toHaveAttribute('aria-current', current);
  expect(link(name)).toHaveClass('current');
  const marked = within(mainNavigation())
    .getAllByRole('link')
    .filter((each) => each.hasAttribute('aria-current'));
  expect(marked).toEqual([link(name)]);
});

test('a path that only starts like a page is not that page', () => {
  renderPage(<Header />, { path: '/startups' });
  expect(link('START building')).not.toHaveAttribute('aria-current');
});

test.each(['production', 'staging'] as const)(
  'in %s Log In and Sign Up link to the application of that mode',
  (mode) => {
    renderPage(<Header />, { config: { mode } });
    const host = testBrand.application[mode];
    expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', `${host}/auth/login`);
    expect(screen.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', `${host}/auth/register`);
  },
);

test('has no application links without an application, and no dropdown of SUPPORT without support pages', () => {
  renderPage(<Header />, { config: { brand: { name: 'Acme' } } });
  expect(screen.queryByRole('link', { name: 'Log In' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Sign Up' })).toBeNull();
  expect(screen.queryByLabelText('More support')).toBeNull();
  expect(screen.getAllByText('Acme')[0]).toBeInTheDocument();
});

test('START leads to each audience, the cases and the partners', async () => {
  renderPage(<Header />);
  await userEvent.click(screen.getByLabelText('Who it’s for'));
  const names = ['For indie developers', 'For startups', 'For agencies', 'Study Cases', 'Partners'];
  expect(names.map((name) => link(name).getAttribute('href'))).toEqual([
    '/indie',
    '/startups',
    '/agencies',
    '/cases',
    '/partners',
  ]);
});

describe('the dropdown of SUPPORT', () => {
  const toggle = () => screen.getByLabelText('More support');
  const menu = () => toggle().closest('details');

  test('opens on a click and contains the two external pages', async () => {
    renderPage(<Header />);
    expect(menu()).not.toHaveAttribute('open');
    await userEvent.click(toggle());
    expect(menu()).toHaveAttribute('open');
    expect(link('Platform Status')).toHaveAttribute('href', testBrand.status);
    expect(link('Support Center')).toHaveAttribute('href', testBrand.support);
  });

  test('closes on Escape and restores the focus', async () => {
    renderPage(<Header />);
    await userEvent.click(toggle());
    link('Platform Status').focus();
    await userEvent.keyboard('{Escape}');
    expect(menu()).not.toHaveAttribute('open');
    expect(toggle()).toHaveFocus();
  });

  test('closes when the focus moves on', async () => {
    renderPage(<Header />);
    await userEvent.click(toggle());
    link('Support Center').focus();
    await userEvent.tab();
    expect(menu()).not.toHaveAttribute('open');
  });

  test('closes when the page changes', async () => {
    renderPage(<Header />, { path: '/home' });
    await userEvent.click(toggle());
    // Like a keyboard click: a real pointerdown outside would close it anyway.
    fireEvent.click(link('BLOCKS'));
    expect(link('BLOCKS')).toHaveAttribute('aria-current', 'page');
    expect(menu()).not.toHaveAttribute('open');
  });

  test('closes on a click elsewhere', async () => {
    renderPage(<Header />);
    await userEvent.click(toggle());
    await userEvent.click(document.body);
    expect(menu()).not.toHaveAttribute('open');
  });
});

test('the field submits to the results page without a script', () => {
  renderPage(<Header />);
  const form = screen.getByRole('search');
  expect(form).toHaveAttribute('action', '/search');
  const field = within(form).getByRole('searchbox', { name: 'Search' });
  expect([field.getAttribute('name'), field.getAttribute('maxlength')]).toEqual(['q', '200']);
  expect(within(form).getByRole('button', { name: 'Search' })).toBeInTheDocument();
});
