import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import ApiConsole from './api-console.tsx';

const run = () => screen.getByRole('button', { name: 'Run' });
const sample = (title: string) => screen.getByRole('region', { name: title });

const fetched = jest.fn<Promise<Response>, Parameters<typeof fetch>>();
function gateway(...responses: (Partial<Response> | Error)[]) {
  for (const response of responses) {
    if (response instanceof Error) fetched.mockRejectedValueOnce(response);
    else fetched.mockResolvedValueOnce(response as Response);
  }
}

/** jsdom has no `Response`. */
const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Partial<Response> => ({
  status,
  headers: new Map(Object.entries(headers)) as unknown as Headers,
  text: () => Promise.resolve(JSON.stringify(body)),
});
const open = (config?: object) => {
  renderPage(<ApiConsole />, config ? { config } : undefined);
  return userEvent.setup();
};

beforeEach(() => Object.assign(globalThis, { fetch: fetched.mockReset() }));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('shows a recorded response, labeled as such, until the first run', () => {
  open();
  expect(sample('Recorded response')).toHaveTextContent('HTTP 201 Created');
  expect(screen.getByText(/^Recorded earlier/)).toBeVisible();
});

test('reading a guest creates one first, with its own id and token', async () => {
  const user = open();
  gateway(
    answer(201, { data: {} }, { 'company-token': 'token-of-the-console' }),
    answer(200, { data: { type: 'guests' } }),
  );
  await user.click(screen.getByRole('radio', { name: /Read the guest/ }));
  await user.click(run());
  const [[createUrl, create], [readUrl, read]] = fetched.mock.calls as [
    [string, RequestInit],
    [string, RequestInit],
  ];
  const { unique_id: id } = JSON.parse(create.body as string) as { unique_id: string };
  expect([createUrl, create.credentials]).toEqual(['https://gateway.test/guests', 'omit']);
  expect(readUrl).toBe(`https://gateway.test/guests/${id}`);
  expect(read.headers).toMatchObject({ Authorization: 'Bearer token-of-the-console' });
  expect(screen.getByText('200 OK')).toBeVisible();
  expect(sample('Response')).toHaveTextContent('"type": "guests"');
  expect(sample('Read the guest, curl')).toHaveTextContent(`guests/${id}`);
});

test('a rate limit is shown with its waiting time, during which nothing is sent', async () => {
  jest.useFakeTimers();
  renderPage(<ApiConsole />);
  const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  gateway(
    answer(429, { errors: [{ code: 'rate_limited' }] }, { 'retry-after': '12' }),
    answer(201, { data: {} }, { 'company-token': 'token' }),
  );
  await user.click(run());
  expect(await screen.findByText('429 Too Many Requests')).toBeVisible();
  expect(screen.getByText('Try again in 12 s')).toBeVisible();
  await user.click(run());
  expect(fetched).toHaveBeenCalledTimes(1);
  act(() => jest.advanceTimersByTime(12_000));
  await user.click(run());
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('a request without a response is shown as offline, and can be run again', async () => {
  const user = open();
  gateway(new TypeError('Failed to fetch'), answer(201, { data: {} }, { 'company-token': 'token' }));
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await user.click(run());
  expect(screen.getByText('You’re offline')).toBeVisible();
  await user.click(run());
  expect(screen.getByText('201 Created')).toBeVisible();
});

test('a guest that the gateway no longer knows is replaced at the next run', async () => {
  const user = open();
  gateway(
    answer(201, { data: {} }, { 'company-token': 'first' }),
    answer(404, { errors: [{ code: 'guest_not_found' }] }),
    answer(201, { data: {} }, { 'company-token': 'second' }),
    answer(201, { data: {} }, { 'company-token': 'renewed' }),
  );
  await user.click(run());
  await user.click(screen.getByRole('radio', { name: /Renew its token/ }));
  await user.click(run());
  expect(screen.getByText('404 Not Found')).toBeVisible();
  await user.click(run());
  expect(fetched.mock.calls.map(([, init]) => init?.method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  expect(sample('Renew its token, curl')).toHaveTextContent('Bearer renewed');
});

test('a site without a gateway shows the recorded response only', () => {
  open({ gateway: { base: '', appId: '' } });
  expect(screen.queryByRole('button', { name: 'Run' })).not.toBeInTheDocument();
  expect(sample('Recorded response')).toBeVisible();
});
