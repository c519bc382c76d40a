import { act, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { later } from './later.tsx';

const Part = () => <button type="button">Calculate</button>;
const part = () => Promise.resolve({ default: Part });
afterEach(() => delete document.documentElement.dataset['interactive']);

test('is fetched when React comes to it, and shown', async () => {
  const load = jest.fn(part);
  const Later = later(load);
  expect(load).not.toHaveBeenCalled();
  await act(() => Promise.resolve(render(<Later />)));
  expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(1);
});

test('is fetched with the code of its page, once the page before it answers', async () => {
  document.documentElement.dataset['interactive'] = '';
  const load = jest.fn(part);
  const Later = later(load);
  expect(load).toHaveBeenCalledTimes(1);
  await act(() => Promise.resolve(render(<Later />)));
  expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(1);
});

test('is asked for once more when it did not come', async () => {
  const load = jest.fn(part).mockRejectedValueOnce(new Error('offline'));
  const Later = later(load);
  await act(() => Promise.resolve(render(<Later />)));
  expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
});

test('stands in the document, and stays there until its code has come', async () => {
  const Ahead = later(part);
  await act(() => Promise.resolve(render(<Ahead />, { container: document.createElement('div') })));
  const root = document.createElement('div');
  root.innerHTML = renderToString(<Ahead />);
  const button = root.querySelector('button');

  let arrive: (module: { default: typeof Part }) => void = () => undefined;
  const Later = later(() => new Promise((resolve) => (arrive = resolve)));
  const hydrated = await act(() => hydrateRoot(root, <Later />));
  expect(root.querySelector('button')).toBe(button);
  await act(() => Promise.resolve(arrive({ default: Part })));
  expect(root.querySelector('button')).toBe(button);
  act(() => hydrated.unmount());
});
