import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { ThemeSwitch } from './theme-switch.tsx';

const root = document.documentElement;

beforeEach(() => {
  localStorage.clear();
  delete root.dataset['theme'];
});

test('follows the system until the visitor chooses', () => {
  render(<ThemeSwitch />);
  expect(screen.getByRole('radio', { name: 'System' })).toBeChecked();
  expect(root).not.toHaveAttribute('data-theme');
});

test('shows and stores the choice', async () => {
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(root).toHaveAttribute('data-theme', 'dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked();
});

test('a return to the system theme deletes the choice', async () => {
  localStorage.setItem('theme', 'light');
  root.dataset['theme'] = 'light';
  render(<ThemeSwitch />);
  expect(screen.getByRole('radio', { name: 'Light' })).toBeChecked();
  await userEvent.click(screen.getByRole('radio', { name: 'System' }));
  expect(root).not.toHaveAttribute('data-theme');
  expect(localStorage.getItem('theme')).toBeNull();
});

test('changes the color of the browser’s toolbar', async () => {
  document.head.innerHTML =
    '<meta name="theme-color" content="paper" media="(prefers-color-scheme: light)">' +
    '<meta name="theme-color" content="ink" media="(prefers-color-scheme: dark)">';
  const media = () =>
    [...document.querySelectorAll('meta')].map((meta) => [meta.content, meta.getAttribute('media')]);
  const before = media();
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(media()).toEqual([
    ['paper', 'not all'],
    ['ink', 'all'],
  ]);
  await userEvent.click(screen.getByRole('radio', { name: 'System' }));
  expect(media()).toEqual(before);
});

test('two switches on a page agree', async () => {
  render(
    <>
      <ThemeSwitch />
      <ThemeSwitch />
    </>,
  );
  await userEvent.click(screen.getAllByRole('radio', { name: 'Light' })[0] as HTMLElement);
  for (const each of screen.getAllByRole('radio', { name: 'Light' })) expect(each).toBeChecked();
});

test('follows a choice made in another tab', () => {
  render(<ThemeSwitch />);
  localStorage.setItem('theme', 'dark');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
  });
  expect(root).toHaveAttribute('data-theme', 'dark');
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked();
});

test('still switches if the browser denies storage', async () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(root).toHaveAttribute('data-theme', 'dark');
  jest.restoreAllMocks();
});

test('shows the active choice if the browser denies storage, and can return to the system theme', async () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked);
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked);
  jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(blocked);
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await userEvent.click(screen.getByRole('radio', { name: 'System' }));
  expect(screen.getByRole('radio', { name: 'System' })).toBeChecked();
  expect(root).not.toHaveAttribute('data-theme');
  jest.restoreAllMocks();
});

test('prerenders the system theme, regardless of the stored one', () => {
  localStorage.setItem('theme', 'dark');
  const markup = document.createElement('div');
  markup.innerHTML = renderToString(<ThemeSwitch />);
  expect(markup.querySelector(':checked')).toHaveAttribute('value', 'system');
});
