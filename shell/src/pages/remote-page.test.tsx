import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { BootRoute } from '@site/contract';
import { useVariant } from '@site/kit';
import type { LoadedPage, PageLoader } from './page-loader.ts';
import { RemotePage } from './remote-page.tsx';

const route: BootRoute = { path: '/blocks', remote: 'mfe-blocks', module: './blocks-page' };

function renderRoute(pages: Partial<PageLoader>, variants = {}) {
  const complete: PageLoader = {
    load: () => Promise.reject(new Error('not expected')),
    ahead: () => undefined,
    fallBack: () => Promise.reject(new Error('not expected')),
    report: () => undefined,
    retry: () => Promise.reject(new Error('not expected')),
    peek: () => undefined,
    ...pages,
  };
  return render(<RemotePage route={route} pages={complete} variants={variants} fromTop={false} />);
}

const ready = (component: () => React.ReactNode, build: 'live' | 'last-good' = 'live'): LoadedPage => ({
  status: 'ready',
  component,
  build,
});

test('shows the page with the variants drawn for it', () => {
  renderRoute({ peek: () => ready(() => <h1>Headline {useVariant('headline')}</h1>) }, { headline: 'b' });
  expect(screen.getByRole('heading')).toHaveTextContent('Headline b');
});

test('a page that fails to load is an error panel with a retry button', async () => {
  const error = new Error('404');
  renderRoute({
    peek: () => ({ status: 'failed', error }),
    retry: () => Promise.resolve(ready(() => <h1>There it is</h1>)),
  });
  expect(screen.getByRole('alert')).toHaveTextContent('could not be loaded');
  // The focus scrolls it into view.
  expect(screen.getByRole('alert')).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('heading', { name: 'There it is' })).toBeInTheDocument();
});

test('the last good version replaces a page that throws while rendering', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined); // React logs caught errors
  const fallBack = jest.fn(() => Promise.resolve(ready(() => <h1>Last good</h1>, 'last-good')));
  renderRoute({
    peek: () =>
      ready(() => {
        throw new Error('broken page');
      }),
    fallBack,
  });
  expect(await screen.findByRole('heading', { name: 'Last good' })).toBeInTheDocument();
  expect(fallBack).toHaveBeenCalledWith(route, expect.objectContaining({ message: 'broken page' }));
});

test('a last good version that throws as well shows the error panel, without a loop', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  renderRoute({
    peek: () =>
      ready(() => {
        throw new Error('broken too');
      }, 'last-good'),
  });
  expect(await screen.findByRole('alert')).toBeInTheDocument();
});

test('a retry leaves the focus on its button, even if it fails again', async () => {
  const failed = { status: 'failed', error: new Error('404') } as const;
  let fail: () => void = () => undefined;
  const retry = jest.fn(() => new Promise<LoadedPage>((resolve) => (fail = () => resolve({ ...failed }))));
  renderRoute({ peek: () => failed, retry });
  const button = screen.getByRole('button', { name: 'Try again' });
  await userEvent.click(button);
  expect(button).toHaveFocus();
  await userEvent.click(button);
  expect(retry).toHaveBeenCalledTimes(1);
  await act(() => Promise.resolve(fail()));
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
});
