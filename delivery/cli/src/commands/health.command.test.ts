import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { runHere } from '../testing/run-here.ts';

const row = {
  app: 'mfe-blocks',
  version: '1.0.0-good00000000',
  route: '/blocks',
  canary: false,
  views: 40,
  faults: null,
  forms: { sent: 0, failed: 0 },
  p75: { lcp: null, inp: null, cls: null },
  verdict: null,
};
const point = { views: 1, faults: 0, lcp: null, inp: null };

let server: Server;
let rows: object[];
let asked: URL;
beforeEach(async () => {
  rows = [row];
  server = createServer(({ url = '/' }, response) => {
    asked = new URL(url, 'http://registry');
    response.end(JSON.stringify({ since: '2026-11-22T12:00:00.000Z', everyMinutes: 5, rows }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

test.each([
  [{ sent: 0, failed: 3 }, '3 of 3'],
  [{ sent: 3, failed: 1 }, '1 of 4'],
  [{ sent: 3, failed: 0 }, '0 of 3'],
  [{ sent: 0, failed: 0 }, '-'],
])('health shows how many submissions failed: %j as %s', async (counted, shown) => {
  rows = [{ ...row, forms: counted }];
  const { out, err } = await health();
  expect(err).toBe('');
  expect(out.trimEnd().split('\n').at(-1)).toMatch(new RegExp(` {2}${shown} +-$`));
});

function health(...args: string[]) {
  const { port } = server.address() as AddressInfo;
  const env = { SITE_REGISTRY: `http://127.0.0.1:${port}`, DATA_DIR: 'nothing-here' };
  return runHere(tmpdir(), env, 'health', ...args);
}
const splitCells = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

test("health shows a version's sums on a route, and whether it is the canary", async () => {
  rows = [
    {
      ...row,
      canary: true,
      views: 1_200,
      faults: { rate: 0.1, low: 0.05, high: 0.2 },
      p75: { lcp: 900, inp: 80, cls: 0.1234 },
      verdict: 'good',
    },
    row,
  ];
  const { out } = await health();
  const [, heading, canary, live] = splitCells(out);
  expect(heading?.slice(0, 5)).toEqual(['ROUTE', 'APP', 'VERSION', 'VIEWS', 'FAULTS (95 %)']);
  expect(canary?.slice(0, 5)).toEqual([
    '/blocks',
    'mfe-blocks',
    '1.0.0-good00000000 canary',
    '1,200',
    '10.0 % (5.0 %–20.0 %)',
  ]);
  expect(canary?.slice(5)).toEqual(['900 ms', '80 ms', '0.123', '-', 'good']);
  expect(live?.slice(2)).toEqual(['1.0.0-good00000000', '40', '-', '-', '-', '-', '-', '-']);
});

test('health filters by the options, and reports an empty result', async () => {
  rows = [];
  const { out } = await health(
    'mfe-blocks',
    '--route',
    '/blocks',
    '--since',
    '2h',
    '--versions',
    'one',
    'two',
  );
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    app: 'mfe-blocks',
    route: '/blocks',
    minutes: '120',
    versions: 'one,two',
  });
  expect(out).toMatch(/^no data for production since /);
});

test('health over time shows the versions of one app by time, or that there is nothing', async () => {
  const points = (...hours: string[]) =>
    hours.map((hour) => ({ ...point, at: `2026-11-22T${hour}:00:00.000Z`, views: Number(hour) }));
  rows = [
    { version: 'b', canary: true, points: points('11', '13') },
    { version: 'a', canary: false, points: points('12') },
  ];
  const { out } = await health('mfe-blocks', '--over-time');
  expect(splitCells(out).map(([, ...cells]) => cells)).toEqual([
    ['VERSION', 'VIEWS', 'FAULTY', 'LCP', 'INP'],
    ['b canary', '11', '0', '-', '-'],
    ['a', '12', '0', '-', '-'],
    ['b canary', '13', '0', '-', '-'],
  ]);
  rows = [];
  expect((await health('mfe-blocks', '--over-time')).out).toMatch(/^no data for mfe-blocks since /);
});

test.each([[[]], [['mfe-blocks', '--route', '/blocks']], [['mfe-blocks', '--watch']]])(
  'health over time is of one app on all its routes, once: not with %j',
  async (args) => {
    const { code, err } = await health('--over-time', ...args);
    expect(code).toBe(2);
    expect(err).toContain('--over-time needs one app, and cannot be combined with --route or --watch');
  },
);

test('health names the engine if only one has faults', async () => {
  rows = [{ ...row, faults: { rate: 0.1, low: 0.05, high: 0.2 }, onlyIn: 'Safari' }];
  const { out } = await health();
  expect(out).toContain('10.0 % (5.0 %–20.0 %) only in Safari');
});
