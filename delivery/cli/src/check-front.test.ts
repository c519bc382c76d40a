import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChangeAnswer } from '@site/contract';
import { checkFront } from './check-front.ts';

let server: Server;
let origin: string;
let requests: { url: string; headers: IncomingHttpHeaders }[];
/** The version that a page shows. */
let shown: (path: string, headers: IncomingHttpHeaders) => { shell: string; blocks: string };

beforeEach(async () => {
  requests = [];
  shown = () => ({ shell: '1', blocks: 'good' });
  server = createServer(({ url = '', headers }, response) => {
    requests.push({ url, headers });
    if (url === '/__site/state') {
      const routes = ['/blocks', '/blocks/auth'].map((path) => ({ path, remote: 'mfe-blocks' }));
      response.end(JSON.stringify({ routes: [...routes, { path: '/start', remote: 'mfe-marketing' }] }));
      return;
    }
    const { shell, blocks } = shown(url, headers);
    const data = JSON.stringify({ shell, remotes: [{ name: 'mfe-blocks', version: blocks }] });
    response.setHeader('via', '1.1 cache-7 (Varnish/7.1)');
    response.setHeader('age', '12');
    response.end(`<script type="application/json" id="boot-data">${data}</script>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const answer = (app: string, from: string) =>
  ({ release: { config: { origin } }, changes: [{ app, from, to: 'good' }] }) as unknown as ChangeAnswer;

test("the pages of the changed app are requested with and without cookies, at the site's address", async () => {
  expect(await checkFront(answer('mfe-blocks', 'bad'))).toEqual({ origin, checks: 4, problem: null });
  expect(requests.map(({ url, headers }) => [url, headers.cookie !== undefined])).toEqual([
    ['/__site/state', false],
    ['/blocks', false],
    ['/blocks', true],
    ['/blocks/auth', false],
    ['/blocks/auth', true],
  ]);
});

test('a cache that shows the removed version is named', async () => {
  shown = (path, { cookie }) => ({ shell: '1', blocks: path === '/blocks/auth' && cookie ? 'bad' : 'good' });
  await expect(checkFront(answer('mfe-blocks', 'bad'))).rejects.toMatchObject({
    code: 'cache_stale',
    message:
      `The change is made, and the edges serve it, but ${origin}/blocks/auth still shows mfe-blocks@bad, from ` +
      '1.1 cache-7 (Varnish/7.1) (age 12 s).',
  });
});

test('every page shows the shell', async () => {
  expect(await checkFront(answer('shell', '0'))).toMatchObject({ checks: 6 });
  shown = () => ({ shell: '0', blocks: 'good' });
  await expect(checkFront(answer('shell', '0'))).rejects.toMatchObject({ code: 'cache_stale' });
});

test('a site that cannot be reached from here is no failure', async () => {
  server.close();
  server.closeAllConnections();
  expect(await checkFront(answer('mfe-blocks', 'bad'))).toEqual({
    origin,
    checks: 0,
    problem: expect.stringContaining('ECONNREFUSED') as string,
  });
});
