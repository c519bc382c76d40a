import { act, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { later } from './later.tsx';

const Part = () => <button type="button">Calculate</button>;
const part = () => Promise.resolve({ default: Part });
afterEach(() => delete document.documentElement.dataset['interactive']);

test('is fetched and shown when React renders it', async () => {
  const load = jest.fn(part);
  const Later = later(load);
  expect(load).not.toHaveBeenCalled();
  await act(() => Promise.resolve(render(<Later />)));
  expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(1);
});

test("is fetched with its page's code, once the previous page is interactive", async () => {
  document.documentElement.dataset['interactive'] = '';
  const load = jest.fn(part);
  const Later = later(load);
  expect(load).toHaveBeenCalledTimes(1);
  await act(() => Promise.resolve(render(<Later />)));
  expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(1);
});

describe('without a network', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  /** A page around the part, with a fallback for both when one of them throws. */
  class Page extends Component<{ children: ReactNode }> {
    override state = { failed: false };
    static getDerivedStateFromError = () => ({ failed: true });
    override render() {
      return this.state.failed ? <p>This page could not be loaded.</p> : <main>{this.props.children}</main>;
    }
  }

  test('the markup in the document stays, and the code is requested until it arrives', async () => {
    const Ahead = later(part);
    await act(() => Promise.resolve(render(<Ahead />, { container: document.createElement('div') })));
    const root = document.createElement('div');
    root.innerHTML = renderToString(
      <Page>
        <Ahead />
      </Page>,
    );
    const load = jest.fn(part).mockRejectedValue(new Error('offline'));
    const Later = later(load);
    const hydrated = await act(() =>
      hydrateRoot(
        root,
        <Page>
          <Later />
        </Page>,
      ),
    );
    await pass(600_000);
    expect(root).toHaveTextContent(/^Calculate$/);
    expect(load.mock.calls.length).toBeGreaterThan(10);
    const before = load.mock.calls.length;
    load.mockImplementation(part);
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(before + 1);
    expect(root).toHaveTextContent(/^Calculate$/);
    act(() => hydrated.unmount());
  });

  test('a page opened by a click waits some seconds, and then fails; the next visit retries', async () => {
    document.documentElement.dataset['interactive'] = '';
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn(part).mockRejectedValue(new Error('offline'));
    const Later = later(load);
    const page = (
      <Page>
        <Later />
      </Page>
    );
    const first = await act(() => Promise.resolve(render(page)));
    await pass(2_000);
    expect(screen.getByRole('main')).toBeInTheDocument();
    await pass(10_000);
    expect(screen.getByText('This page could not be loaded.')).toBeInTheDocument();
    first.unmount();

    load.mockImplementation(part);
    await act(() => Promise.resolve(render(page)));
    await pass(0);
    expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
    jest.restoreAllMocks();
  });

  test('a failed prefetch is retried by the click', async () => {
    document.documentElement.dataset['interactive'] = '';
    const load = jest.fn(part).mockRejectedValue(new Error('offline'));
    const Later = later(load);
    await pass(10_000);
    load.mockImplementation(part);
    await act(() => Promise.resolve(render(<Later />)));
    await pass(0);
    expect(screen.getByRole('button', { name: 'Calculate' })).toBeInTheDocument();
  });
});

test('is in the document, and stays there until its code arrives', async () => {
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
