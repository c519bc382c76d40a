import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { Header } from './header.tsx';
import { openMenus } from './open-menus.ts';

beforeAll(() => openMenus(document));
beforeEach(() => {
  renderPage(<Header />, { path: '/home' });
});

const toggle = (name = 'More support') => screen.getByLabelText(name);
const menu = (name?: string) => toggle(name).closest('details');
const word = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name });

test('the mouse over a main link opens its menu, and closes it when it leaves', async () => {
  await userEvent.hover(word('SUPPORT'));
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await userEvent.hover(word('Platform Status'));
  await userEvent.hover(word('START building'));
  await waitFor(() => expect(menu('Who it’s for')).toHaveAttribute('open'));
  expect(menu()).not.toHaveAttribute('open');
  await userEvent.hover(document.body);
  await waitFor(() => expect(menu('Who it’s for')).not.toHaveAttribute('open'));
});

test('a click on its arrow keeps it open, and Escape closes it', async () => {
  await userEvent.hover(toggle());
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await userEvent.click(toggle());
  expect(menu()).toHaveAttribute('open');
  await userEvent.click(document.body);
  expect(menu()).not.toHaveAttribute('open');

  await userEvent.hover(word('SUPPORT'));
  await waitFor(() => expect(menu()).toHaveAttribute('open'));
  await userEvent.keyboard('{Escape}');
  expect(menu()).not.toHaveAttribute('open');
});

test('the down arrow on a main link opens its menu at the first item', () => {
  word('SUPPORT').focus();
  fireEvent.keyDown(word('SUPPORT'), { key: 'ArrowDown' });
  expect(menu()).toHaveAttribute('open');
  expect(word('Platform Status')).toHaveFocus();
});
