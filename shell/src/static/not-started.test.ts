import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { BOOT_DATA_ID } from '@site/contract';
import { SignalsSchema } from '@site/contract/signals/report.schema';

const source = readFileSync(join(__dirname, 'not-started.js'), 'utf8');
const frame = 'a-frame';
const version = '1.0.0-0123456789ab';
const file = '/assets/shell/main.0123456789ab.js';
const thrown = { filename: `https://site.example.com${file}`, lineno: 3, colno: 14 };

const sendBeacon = jest.fn<boolean, [string, string]>(() => true);
const answer = jest.fn(() => Promise.resolve({ json: () => Promise.resolve({ token: 'a token' }) }));

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { fetch: answer });
  Object.assign(navigator, { sendBeacon, globalPrivacyControl: false, connection: undefined });
  delete document.documentElement.dataset['interactive'];
  const data = {
    frame,
    rendered: '/blocks',
    routes: [{ path: '/blocks', remote: 'mfe-blocks' }],
    remotes: [{ name: 'mfe-blocks', version }],
  };
  document.head.innerHTML = `<script type="application/json" id="${BOOT_DATA_ID}">${JSON.stringify(data)}</script>`;
});
afterEach(() => {
  jest.useRealTimers();
  jest.clearAllMocks();
});

/** Runs a page whose script triggers these events. Returns the reports after some seconds. */
async function told(...events: ErrorEventInit[]): Promise<unknown[]> {
  const listen = jest.spyOn(window, 'addEventListener');
  // The file is inline in <head>: run it like the browser.
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call
  new Function(source)();
  const listeners = listen.mock.calls.map(([type, listener]) => [type, listener] as const);
  listen.mockRestore();
  for (const event of events) dispatchEvent(new ErrorEvent('error', event));
  await jest.advanceTimersByTimeAsync(5_000);
  for (const [type, listener] of listeners) removeEventListener(type, listener as EventListener);
  return sendBeacon.mock.calls.map(([, body]) => JSON.parse(body) as unknown);
}

test("a shell that throws before hydration has a faulty view, in the edge's format", async () => {
  const [signals] = await told({ ...thrown, message: 'Uncaught Error: no', error: new Error('no start') });
  expect(sendBeacon).toHaveBeenCalledWith('/__site/signals', expect.any(String));
  expect(v.parse(SignalsSchema, signals)).toMatchObject({
    token: 'a token',
    document: `${frame}/mfe-blocks@${version}`,
    reports: [
      {
        kind: 'outcome',
        stretch: 'first',
        faulty: ['shell'],
        view: { number: 0, route: '/blocks', app: 'mfe-blocks', version, build: 'live' },
      },
      {
        kind: 'faults',
        faults: [{ kind: 'error', app: 'shell', message: 'no start', file, line: 3, column: 14 }],
      },
    ],
  });
});

test.each([
  ['without a source', {}],
  ['of an extension', { filename: 'chrome-extension://abc/content.js' }],
  ['of a remote', { filename: 'https://site.example.com/assets/mfe-blocks/a.js' }],
])('a fault %s is not reported here', async (_whose, event) => {
  expect(await told(event)).toEqual([]);
});

test("any thrown value becomes text, within the edge's limit", async () => {
  const [signals] = await told({ ...thrown, error: { message: { deep: 'x'.repeat(300) } } });
  expect(v.safeParse(SignalsSchema, signals).success).toBe(true);
  sendBeacon.mockClear();
  const [long] = await told({ ...thrown, error: 'x', message: 'x'.repeat(300) });
  expect(v.safeParse(SignalsSchema, long).success).toBe(true);
});

test('a hydrated page reports by itself', async () => {
  document.documentElement.dataset['interactive'] = '';
  expect(await told(thrown)).toEqual([]);
});

test.each([{ globalPrivacyControl: true }, { connection: { saveData: true } }])(
  'a visitor with %j sends nothing',
  async (wish) => {
    Object.assign(navigator, wish);
    expect(await told(thrown)).toEqual([]);
    expect(answer).not.toHaveBeenCalled();
  },
);

test('without a token, a network or a page nothing is reported, and nothing throws', async () => {
  answer.mockResolvedValueOnce({ json: () => Promise.resolve({ token: null as unknown as string }) });
  expect(await told(thrown)).toEqual([]);
  answer.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect(await told(thrown)).toEqual([]);
  document.head.innerHTML = '';
  expect(await told(thrown)).toEqual([]);
});
