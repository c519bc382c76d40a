import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { stubDialog } from '@site/testing/stub-dialog';
import { App } from './app.tsx';
import { takeCode } from './data/session.ts';
import { ops } from './testing/render-console.tsx';
import { overview, sampleFault } from './testing/sample-answers.ts';

/** The registry as the console sees it; each test sets the session. */
let signedIn = false;
let requests: { method: string; path: string; headers: Headers; body: string }[] = [];
let refuse: string | null = null;
let who = ops;
/** While true, the test itself responds to API requests. */
let hold = false;
let held: ((response: Response) => void)[] = [];

const json = (status: number, body: unknown) =>
  ({
    ok: status < 400,
    status,
    json: () => Promise.resolve(body),
    text: () => Promise.resolve(JSON.stringify(body)),
  }) as Response;
const refusal = (status: number, code: string, detail: string) =>
  json(status, { errors: [{ code, detail }] });

class SilentEventSource extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readyState = 0;
  onerror: (() => void) | null = null;
  close() {
    this.readyState = SilentEventSource.CLOSED;
  }
}

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
  localStorage.clear();
  signedIn = false;
  requests = [];
  refuse = null;
  who = ops;
  hold = false;
  held = [];
  Object.assign(globalThis, { EventSource: SilentEventSource });
  AbortSignal.timeout = () => new AbortController().signal;
  globalThis.fetch = (input, { method = 'GET', headers, body } = {}) => {
    const path = input as string;
    requests.push({ method, path, headers: new Headers(headers), body: (body ?? '') as string });
    if (hold && path.startsWith('/v1/')) return new Promise((resolve) => held.push(resolve));
    if (refuse !== null && path.startsWith('/v1/'))
      return Promise.resolve(refusal(401, 'session_over', refuse));
    if (path === '/console/session') {
      if (method === 'GET') return Promise.resolve(json(200, { who: signedIn ? who : null }));
      if (method === 'DELETE') {
        signedIn = false;
        return Promise.resolve({ ok: true, status: 204 } as Response);
      }
      if (!(body as string).includes('good'))
        return Promise.resolve(refusal(401, 'token_invalid', 'No such token.'));
      signedIn = true;
      return Promise.resolve(json(200, ops));
    }
    if (!signedIn) return Promise.resolve(refusal(401, 'token_missing', 'Sign in.'));
    return Promise.resolve(json(200, overview()));
  };
});

afterEach(() => restore());

const open = (code: string | null = null, path = '/') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <App code={code} />
    </MemoryRouter>,
  );

test('sign in with a token, see the live versions, and sign out', async () => {
  open();
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Token'), 'wrong');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('No such token.')).toBeInTheDocument();
  await user.clear(screen.getByLabelText('Token'));
  await user.click(screen.getByLabelText('Token'));
  // As pasted from a chat.
  await user.paste(' \u200Bgood\u202C');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(await screen.findByLabelText('Token')).toBeInTheDocument();
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/console/session' });
});

test('a lost response to a sign-out leaves the outcome open', async () => {
  open('good sign-out');
  const user = userEvent.setup();
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  const answering = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    init?.method === 'DELETE' ? Promise.reject(new TypeError('offline')) : answering(input, init);
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^It is unknown whether you are signed out\./);
});

test('every request has the header that cross-site forms cannot send', async () => {
  open('good');
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.filter(({ headers }) => headers.get('x-console') !== '1')).toEqual([]);
});

test('the code of a link is exchanged once and removed from the URL', async () => {
  history.replaceState(null, '', '/console/timeline?channel=staging#code=good-once');
  const code = takeCode();
  expect(code).toBe('good-once');
  expect(location.href).toMatch(/\/console\/timeline\?channel=staging$/);
  open(code);
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    '{"code":"good-once"}',
  ]);
  history.replaceState(null, '', '/');
});

test('an expired link is reported, and a token is requested', async () => {
  open('used');
  expect(await screen.findByRole('alert')).toHaveTextContent('The link did not sign you in.No such token.');
  expect(screen.getByLabelText('Token')).toBeInTheDocument();
});

test('opening a link a second time keeps the session of the first', async () => {
  signedIn = true;
  open('used again');
  expect(await screen.findByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
});

test('a late response for the previous session does not end the next one', async () => {
  open('good before');
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  hold = true;
  await act(() => dispatchEvent(new Event('online')));
  await waitFor(() => expect(held.length).toBeGreaterThan(0));
  hold = false;
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await user.type(await screen.findByLabelText('Token'), 'good');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  await act(async () => {
    for (const answer of held) answer(refusal(401, 'session_over', 'The session has ended.'));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(screen.getByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
});

test('after a sign-in in another tab, this tab shows the new user', async () => {
  open('good for two');
  await screen.findByText('Olga');
  who = { ...ops, name: 'Bob', tokenId: 't2' };
  await act(() => dispatchEvent(new Event('focus')));
  expect(await screen.findByText('Bob')).toBeInTheDocument();
  expect(screen.queryByText('Olga')).toBeNull();
});

test('an expired session shows why, and returns to the same view after signing in', async () => {
  open('good again', '/freezes');
  await screen.findByRole('heading', { level: 1, name: 'Freezes and guard of production' });
  refuse = 'The token was revoked.';
  await act(() => dispatchEvent(new Event('online')));
  expect(await screen.findByText('The token was revoked.')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: /Freezes/ })).toBeNull();
  refuse = null;
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Token'), 'good');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Freezes and guard of production' }),
  ).toBeInTheDocument();
});

test('keys open views, search and help, but not while typing', async () => {
  open('good keys');
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  const user = userEvent.setup();
  await user.keyboard('gt');
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Timeline of production' }),
  ).toBeInTheDocument();
  await user.keyboard('gn');
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  await waitFor(() => expect(document.title).toBe('Now on production – Console'));
  await user.keyboard('?');
  await screen.findByRole('dialog', { name: 'Help' });
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard('gt');
  await user.keyboard('/');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(screen.getByRole('heading', { level: 1, hidden: true })).toHaveTextContent('Now on production');
});

test('the single-key shortcuts can be turned off, and stay off in the next session', async () => {
  const { unmount } = open('good shortcuts');
  const user = userEvent.setup();
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  await user.keyboard('?');
  const help = within(await screen.findByRole('dialog', { name: 'Help' }));
  await user.click(help.getByRole('checkbox', { name: 'On in this browser' }));
  await user.click(help.getByRole('button', { name: 'Close' }));
  const expectNoShortcut = async () => {
    await user.keyboard('?');
    await user.keyboard('/');
    await user.keyboard('gt');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Now on production');
    expect(screen.getByRole('button', { name: 'Search' })).not.toHaveAttribute('aria-keyshortcuts');
  };
  await expectNoShortcut();
  unmount();
  open('good next session');
  await screen.findByRole('heading', { level: 1, name: 'Now on production' });
  await expectNoShortcut();
  await user.click(screen.getByRole('button', { name: 'Help' }));
  await user.click(screen.getByRole('checkbox', { name: 'On in this browser' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.keyboard('gt');
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Timeline of production' }),
  ).toBeInTheDocument();
});

test('an unknown channel in the URL shows no other channel instead', async () => {
  open('good elsewhere', '/?channel=nope');
  expect(
    await screen.findByRole('heading', { level: 1, name: 'There is no channel “nope”' }),
  ).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: /production/ })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'the live versions on production' })).toBeInTheDocument();
  expect(screen.queryByRole('radio', { checked: true })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('radio', { name: 'Production' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
});

describe('a failure while rendering', () => {
  beforeEach(() => {
    // React logs caught errors.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    Object.assign(globalThis, { reportError: jest.fn() });
  });
  afterEach(() => jest.restoreAllMocks());

  test('replaces only its view, and other views work', async () => {
    const answering = globalThis.fetch;
    globalThis.fetch = (input, init) =>
      (input as string).includes('/faults')
        ? Promise.resolve(json(200, { faults: [sampleFault] }))
        : answering(input, init);
    const broken = jest.spyOn(Number.prototype, 'toLocaleString').mockImplementation(() => {
      throw new Error('broken');
    });
    open('good broken view', '/faults');
    expect(await screen.findByRole('heading', { level: 1, name: 'This view failed' })).toBeInTheDocument();
    expect(globalThis.reportError).toHaveBeenCalledWith(new Error('broken'));
    broken.mockRestore();
    await userEvent.click(screen.getByRole('link', { name: 'Now' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
  });

  test('outside of the views offers a reload', async () => {
    jest.spyOn(globalThis, 'addEventListener').mockImplementation((type) => {
      if (type === 'keydown') throw new Error('broken');
    });
    open('good broken layout');
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeInTheDocument();
  });

  test('that a translator has caused renders the view again', async () => {
    open('good translated', '/tokens');
    const heading = await screen.findByRole('heading', { level: 1, name: 'Tokens' });
    heading.parentElement!.parentElement!.remove();
    await userEvent.click(screen.getByRole('link', { name: 'Now' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Now on production' })).toBeInTheDocument();
  });
});
