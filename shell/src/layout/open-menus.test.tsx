import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { Header } from './header.tsx';
import { openMenus } from './open-menus.ts';

/** One mouse: it enters and leaves. */
const user = userEvent.setup();

beforeAll(() => openMenus(document));
beforeEach(() => {
  renderPage(<Header />, { path: '/home' });
});

const toggle = (name = 'More support') => screen.getByLabelText(name);
const menu = (name?: string) => toggle(name).closest('details');
const word = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name });

test('the mouse over a main link opens its menu, and closes it when it leaves', async () => {
  await user.hover(word('SUPPORT'));
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await user.hover(word('Platform Status'));
  await user.hover(word('START building'));
  await waitFor(() => expect(menu('Who it’s for')).toHaveAttribute('open'));
  expect(menu()).not.toHaveAttribute('open');
  await user.hover(document.body);
  await waitFor(() => expect(menu('Who it’s for')).not.toHaveAttribute('open'));
});

test('a click on its arrow keeps it open, and Escape closes it', async () => {
  await user.hover(toggle());
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await user.click(toggle());
  expect(menu()).toHaveAttribute('open');
  await user.click(document.body);
  expect(menu()).not.toHaveAttribute('open');

  await user.hover(word('SUPPORT'));
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await user.keyboard('{Escape}');
  expect(menu()).not.toHaveAttribute('open');
});

test('the down arrow on a main link opens its menu at the first item', () => {
  word('SUPPORT').focus();
  fireEvent.keyDown(word('SUPPORT'), { key: 'ArrowDown' });
  expect(menu()).toHaveAttribute('open');
  expect(word('Platform Status')).toHaveFocus();
});
