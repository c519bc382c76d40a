import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEdgeHarness, type EdgeHarness } from '@site/edge/testing/edge-harness';
import { selfSigned } from '@site/server/testing/self-signed';
import { until } from '../e2e/harness/until.ts';
import { startFront, type Front } from './harness/front.ts';
import { hasNginx } from './harness/run-nginx.ts';

/**
 * Caching, forwarding and limits of the reverse proxy, with two edges that record their requests.
 * `cycles.test.ts` and `follow.test.ts` cover it with real edges.
 */
interface Asked {
  edge: number;
  url: string;
  headers: IncomingHttpHeaders;
}

/** Headers of the edges' responses, in addition to their number and a request counter. */
const expectedHeaders: Record<string, Record<string, string | string[]>> = {
  '/blocks': { 'Cache-Control': 'no-cache, no-transform' },
  '/home': { 'Cache-Control': 'private, no-cache, no-transform' },
  '/canary': { 'Cache-Control': 'private, no-store', 'Set-Cookie': ['bucket=7'], Vary: 'Cookie' },
  '/given': { 'Cache-Control': 'no-cache', 'Set-Cookie': ['bucket=7'] },
  '/__site/state': { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' },
  '/__site/signals': { 'Cache-Control': 'no-store' },
  '/silent': {},
  '/assets/app/a.js': { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
  '/assets/app/b.js': { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
  '/assets/app/c.js': { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
  '/assets/app/id.js': { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
};

let asked: Asked[] = [];
/** Every response is unique. */
let answers = 0;
let interceptor: ((edge: number, response: ServerResponse) => boolean) | null = null;
let edges: Server[];
let front: Front;

const startEdge = (edge: number, port = 0) =>
  new Promise<Server>((resolve) => {
    const server = createServer((request, response) => {
      const { url = '', headers } = request;
      asked.push({ edge, url, headers });
      if (interceptor?.(edge, response)) return;
      const known = expectedHeaders[url.split('?')[0]!];
      response.writeHead(known ? 200 : 404, known ?? { 'Cache-Control': 'no-store' });
      response.end(`answer ${(answers += 1)}`);
    }).listen(port, '127.0.0.1', () => resolve(server));
    // Longer than the proxy's keep-alive, like an edge.
    server.keepAliveTimeout = 20_000;
  });
const localUrl = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A visitor's response. `fetch` would add headers. */
async function visit(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(front.url + path, { headers })).text();
}

/** Two requests within one second. */
async function twice(path: string, headers: Record<string, string> = {}): Promise<[string, string]> {
  for (;;) {
    const second = Math.floor(Date.now() / 1000);
    const answers: [string, string] = [await visit(path, headers), await visit(path, headers)];
    if (Math.floor(Date.now() / 1000) === second) return answers;
  }
}

(hasNginx ? describe : describe.skip)(
  'the server in front of the edges (skipped without nginx: apt-get install nginx)',
  () => {
    beforeAll(async () => {
      edges = await Promise.all([startEdge(0), startEdge(1)]);
      front = await startFront(edges.map(localUrl));
    });
    afterAll(async () => {
      await front.stop();
      for (const edge of edges) edge.close().closeAllConnections();
    });
    beforeEach(() => {
      asked = [];
      interceptor = null;
    });

    test('a public page is requested once a second, and not served in the next one', async () => {
      const [first, second] = await twice('/blocks');
      expect(second).toBe(first);
      const shown = Math.floor(Date.now() / 1000);
      while (Math.floor(Date.now() / 1000) === shown) await sleep(5);
      expect(await visit('/blocks')).not.toBe(first);
    });

    test.each(['/home', '/canary', '/given', '/__site/state', '/__site/signals', '/silent', '/unknown'])(
      'a response that is not marked as public is never cached: %s',
      async (path) => {
        const [first, second] = await twice(path);
        expect(second).not.toBe(first);
      },
    );

    test('reports of browsers reach an edge each time, exactly once, even if that edge fails', async () => {
      const tell = (body: string) => fetch(`${front.url}/__site/signals`, { method: 'POST', body });
      const told = [await (await tell('{}')).text(), await (await tell('{}')).text()];
      expect(new Set(told).size).toBe(2);
      expect(asked).toHaveLength(2);
      asked = [];
      interceptor = (_edge, response) => {
        response.destroy();
        return true;
      };
      expect((await tell('{}')).status).toBe(502);
      expect(asked).toHaveLength(1);
      expect((await tell('x'.repeat(17 * 1024))).status).toBe(413);
      expect(asked).toHaveLength(1);
    });

    test("requests with a query, or the cookie of a preview or a cleared browser, get an edge's response", async () => {
      const kept = await visit('/blocks');
      const cookies = ['__Host-Http-preview=a', 'x=1; __Host-Http-cleared=3'];
      for (const cookie of cookies)
        expect(new Set([kept, ...(await twice('/blocks', { cookie }))]).size).toBe(3);
      expect(new Set([kept, ...(await twice('/blocks?utm_source=x'))]).size).toBe(3);
      expect(cookies.every((cookie) => asked.some(({ headers }) => headers.cookie === cookie))).toBe(true);
    });

    test('a public page is requested once for all visitors with other cookies, and once for those without', async () => {
      for (;;) {
        const [second] = await twice('/blocks', { cookie: 'authToken=x' });
        const pages = [second];
        const now = Math.floor(Date.now() / 1000);
        for (const cookie of ['__Host-Http-bucket=3', 'authToken=y; _ga=1'])
          pages.push(...(await twice('/blocks', { cookie })));
        const without = await visit('/blocks');
        if (Math.floor(Date.now() / 1000) !== now) continue;
        expect(new Set(pages)).toEqual(new Set([second]));
        expect(without).not.toBe(second);
        break;
      }
    });

    test('a file is cached permanently, once per encoding, and served even without edges', async () => {
      const accepted = [
        'gzip, deflate, br',
        'br;q=0.9, gzip',
        'gzip',
        'br;q=0, gzip;q=0.5',
        'identity',
        'zstd',
      ];
      const seen: string[] = [];
      for (const encoding of accepted)
        seen.push(
          await visit('/assets/app/a.js', { 'accept-encoding': encoding, cookie: `bucket=${seen.length}` }),
        );
      expect(asked.map(({ headers }) => headers['accept-encoding'])).toEqual(['br', 'gzip', undefined]);
      const [br, , gzip, , plain] = seen as [string, string, string, string, string];
      expect(seen).toEqual([br, br, gzip, gzip, plain, plain]);
      interceptor = (_, response) => Boolean(response.destroy());
      expect(await visit('/assets/app/a.js', { 'accept-encoding': 'gzip' })).toBe(gzip);
    });

    test('a file is cached once whatever the host header is, so that the disk cannot be filled', async () => {
      const visitAs = (host: string, path: string) =>
        new Promise<string>((resolve, reject) => {
          get(front.url + path, { headers: { host } }, (answer) => void text(answer).then(resolve, reject));
        });
      const seen: string[] = [];
      for (const host of ['a.example', 'b.example:8443', 'a.example'])
        seen.push(await visitAs(host, '/assets/app/c.js'));
      expect(new Set(seen).size).toBe(1);
      expect(asked).toHaveLength(1);
    });

    test('a script of a worker is never served from the cache', async () => {
      const file = await visit('/assets/app/a.js');
      const headers = [{ 'service-worker': 'script' }, { 'sec-fetch-dest': 'worker' }];
      for (const header of headers) expect(await visit('/assets/app/a.js', header)).not.toBe(file);
      expect(await visit('/assets/app/a.js', { 'sec-fetch-dest': 'script' })).toBe(file);
    });

    test('a range request is forwarded for uncompressed bytes, and not cached', async () => {
      for (const range of ['bytes=0-1', 'bytes=2-3'])
        await visit('/assets/app/b.js', { range, 'accept-encoding': 'br' });
      expect(asked.map(({ headers }) => [headers.range, headers['accept-encoding']])).toEqual([
        ['bytes=0-1', undefined],
        ['bytes=2-3', undefined],
      ]);
    });

    test('a visitor cannot forge an address or a request id', async () => {
      await visit('/home', { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'made-up' });
      expect(asked[0]!.headers['x-forwarded-for']).toBe('127.0.0.1');
      expect(asked[0]!.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    });

    test('each response has the id of its own request, also from the cache', async () => {
      interceptor = (_edge, response) => {
        response.setHeader('x-request-id', 'of-the-edge');
        return false;
      };
      const load = async () => {
        const answer = await fetch(`${front.url}/assets/app/id.js`);
        await answer.text();
        return answer.headers.get('x-request-id');
      };
      const ids = [await load(), await load()];
      expect(asked).toHaveLength(1);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    });

    test('an edge that is not ready or gone is skipped', async () => {
      // A separate proxy: a failed edge of an earlier test is skipped for two seconds.
      const own = await startFront(edges.map(localUrl));
      const visits = () =>
        Promise.all(Array.from({ length: 8 }, async () => (await fetch(`${own.url}/home`)).text()));
      interceptor = (edge, response) => {
        if (edge === 0) response.writeHead(503).end('not ready');
        return edge === 0;
      };
      expect((await visits()).filter((answer) => !answer.startsWith('answer'))).toEqual([]);
      interceptor = (edge, response) => edge === 0 && Boolean(response.destroy());
      expect((await visits()).filter((answer) => !answer.startsWith('answer'))).toEqual([]);
      expect(new Set(asked.map(({ edge }) => edge))).toEqual(new Set([0, 1]));
      await own.stop();
    });

    test('no page view waits for an edge that hangs, and only reads are sent again', async () => {
      const hung = spawn(process.execPath, [
        '--eval',
        'require("http").createServer((_, r) => r.end("hung")).listen(0, "127.0.0.1", function () { console.log(this.address().port) })',
      ]);
      const [port] = (await once(hung.stdout, 'data')) as [Buffer];
      const own = await startFront([`http://127.0.0.1:${String(port).trim()}`, localUrl(edges[1]!)]);
      try {
        hung.kill('SIGSTOP');
        const views = Array.from({ length: 8 }, async () => (await fetch(`${own.url}/home`)).text());
        expect((await Promise.all(views)).filter((answer) => !answer.startsWith('answer'))).toEqual([]);
        asked = [];
        const statuses = await Promise.all(
          Array.from({ length: 8 }, async (_, index) => {
            const report = { method: 'POST', body: String(index) };
            return (await fetch(`${own.url}/__site/signals`, report)).status;
          }),
        );
        expect(asked).toHaveLength(statuses.filter((status) => status === 200).length);
      } finally {
        hung.kill('SIGKILL');
        await own.stop();
      }
    });

    test('a client that sends or reads slowly does not occupy an edge', async () => {
      const slow = connect(Number(new URL(front.url).port), '127.0.0.1');
      slow.write('GET /slow HTTP/1.1\r\nHost: site\r\nX-Part: ');
      await visit('/home');
      expect(asked.map(({ url }) => url)).toEqual(['/home']);

      // The client reads nothing, but the edge has finished.
      const isDone = new Promise<void>((resolve) => {
        interceptor = (_, response) => {
          response.on('finish', resolve);
          response.end(Buffer.alloc(400_000, 'x'));
          return true;
        };
      });
      slow.pause();
      slow.write('1\r\n\r\n');
      await isDone;
      expect(slow.bytesRead).toBe(0);
      slow.destroy();
    });

    test('without a ready edge, visitors get an uncached page that reloads', async () => {
      const own = await startFront(edges.map(localUrl));
      interceptor = (_, response) => Boolean(response.writeHead(503).end('not ready'));
      // The first responses come from the edges; then none is in service.
      await Promise.all(Array.from({ length: 4 }, () => fetch(`${own.url}/home`)));
      const pages = await Promise.all(Array.from({ length: 40 }, () => fetch(`${own.url}/home`)));
      const seen = pages.map(({ status, headers }) => [
        status,
        headers.get('cache-control'),
        headers.get('retry-after'),
      ]);
      expect(seen).toEqual(seen.map(() => [503, 'no-store', '5']));
      expect(await pages[0]!.text()).toContain('<meta http-equiv="refresh" content="5">');
      // A write must not look successful.
      expect((await fetch(`${own.url}/home`, { method: 'POST', body: '{}' })).status).toBe(502);
      await own.stop();
    });

    test('an edge that rejects one request stays in service', async () => {
      for (const status of [429, 500, 504]) {
        const own = await startFront(edges.map(localUrl));
        interceptor = (_, response) => Boolean(response.writeHead(status).end('refused'));
        const refused = await Promise.all(Array.from({ length: 6 }, () => fetch(`${own.url}/home`)));
        expect(refused.map((answer) => answer.status)).toEqual(refused.map(() => status));
        interceptor = null;
        expect((await fetch(`${own.url}/home`)).status).toBe(200);
        await own.stop();
      }
    });

    test('plain HTTP only redirects to HTTPS', async () => {
      const answer = await fetch(`${front.plainUrl}/blocks?from=mail`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        308,
        'https://127.0.0.1/blocks?from=mail',
      ]);
      expect(asked).toEqual([]);
    });

    test('limits concurrent requests per network: an IPv4 address, or an IPv6 /64', async () => {
      const own = await startFront(edges.map(localUrl), undefined, {
        listen: ['set_real_ip_from 127.0.0.1;', 'real_ip_header X-Real-IP;'],
        underWay: 1,
      });
      const held: ServerResponse[] = [];
      interceptor = (_, response) => {
        held.push(response);
        return held.length > 0;
      };
      const from = (address: string) => fetch(`${own.url}/home`, { headers: { 'x-real-ip': address } });
      for (const [address, same, other] of [
        ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
        ['2001:db8:1:2::1', '2001:db8:1:2:a:b:c:d', '2001:db8:1:3::1'],
        ['2001:db8::1', '2001:db8::a:b:c:d', '2001:db9::1'],
      ] as const) {
        held.length = 0;
        const first = from(address);
        await until(() => expect(held).toHaveLength(1));
        expect((await from(same)).status).toBe(429);
        const second = from(other);
        await until(() => expect(held).toHaveLength(2));
        for (const response of held) response.writeHead(200).end();
        expect([(await first).status, (await second).status]).toEqual([200, 200]);
      }
      await own.stop();
    });

    describe('over HTTP/2 and TLS', () => {
      const { cert, key } = selfSigned();
      let folder: string;
      let tls: Front;
      const session = () => connectHttp2(tls.url, { ca: cert, servername: 'localhost' });
      const fetchStatus = async (of: ClientHttp2Session, path: string): Promise<unknown> => {
        const stream = of.request({ [constants.HTTP2_HEADER_PATH]: path });
        // The body is not read, so the request stays active.
        stream.pause();
        const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
        return headers[constants.HTTP2_HEADER_STATUS];
      };
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'site-front-tls-'));
        const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
        await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
        tls = await startFront(edges.map(localUrl), files);
      });
      afterAll(async () => {
        await tls.stop();
        await rm(folder, { recursive: true, force: true });
      });

      test('the same rules apply', async () => {
        const visitor = session();
        expect(await fetchStatus(visitor, '/blocks')).toBe(200);
        visitor.destroy();
      });

      test('twenty visitors with slow connections behind one address get every file of a page', async () => {
        interceptor = (_, response) => Boolean(response.writeHead(200).end(Buffer.alloc(300_000, 'x')));
        const visitors = Array.from({ length: 20 }, session);
        const statuses = await Promise.all(
          visitors.flatMap((visitor, index) =>
            Array.from({ length: 40 }, (_, file) => fetchStatus(visitor, `/assets/app/${index}-${file}.js`)),
          ),
        );
        for (const visitor of visitors) visitor.destroy();
        expect(statuses).toEqual(statuses.map(() => 200));
      });
    });
  },
);

(hasNginx ? describe : describe.skip)(
  'two edges behind the server in front (skipped without nginx: apt-get install nginx)',
  () => {
    let harness: EdgeHarness;
    let site: Front;
    beforeAll(async () => {
      harness = await createEdgeHarness();
      const one = await harness.startServing({ trustProxy: 1 });
      const two = await harness.start({ id: 'edge-2', cacheDir: `${harness.cacheDir}/2`, trustProxy: 1 });
      await until(() => expect(two.edge.release()).toBe('r1'));
      site = await startFront([one.url, two.url]);
    });
    afterAll(async () => {
      await site.stop();
      await harness.close();
    });

    /** The query bypasses the cache. */
    const view = async () => (await fetch(`${site.url}/blocks?seen=1`)).status;
    /** During `work`, and at least this often. */
    async function viewsDuring(work: Promise<unknown>, least: number): Promise<number[]> {
      const statuses: number[] = [];
      const progress = { isOver: false };
      const over = work.finally(() => (progress.isOver = true));
      while (!progress.isOver || statuses.length < least) statuses.push(await view());
      await over;
      return statuses;
    }

    const agent = new Agent({ keepAlive: true });
    const fetchStatus = (path: string, headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        const sent = get(site.url + path, { agent, headers }, (answer: IncomingMessage) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        });
        sent.once('error', reject);
      });
    /** Sends `atOnce` concurrent requests until `most` got a status other than 404. */
    async function refusals(
      most: number,
      ask: (index: number) => Promise<number>,
      atOnce = 8,
    ): Promise<number[]> {
      const refused: number[] = [];
      let index = 0;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (refused.length < most) {
            const status = await ask((index += 1));
            if (status !== 404) refused.push(status);
          }
        }),
      );
      return refused;
    }

    test('ten thousand rejected requests of one client affect none of a thousand page views of others', async () => {
      const guesses = refusals(10_000, (index) => fetchStatus(`/assets/mfe-blocks/guess-${index}.js`));
      const views = await viewsDuring(guesses, 1_000);
      expect(new Set(views)).toEqual(new Set([200]));
      expect(new Set(await guesses)).toEqual(new Set([429]));
    });

    test.each([[6], [20]])('%i planted cookies of 3.9 KB are removed by the response', async (count) => {
      const cookie = Array.from({ length: count }, (_, index) => `c${index}=${'x'.repeat(3_900)}`).join('; ');
      const { status, headers } = await fetch(`${site.url}/blocks`, { headers: { cookie } });
      expect([status, headers.get('clear-site-data'), headers.get('content-type')]).toEqual([
        431,
        '"cookies"',
        expect.stringContaining('text/html') as string,
      ]);
      expect((await fetch(`${site.url}/${'x'.repeat(60_000)}`)).headers.get('clear-site-data')).toBeNull();
    });

    test('headers that are too large for an edge affect no page view of others', async () => {
      const headers = Object.fromEntries(
        Array.from({ length: 4 }, (_, index) => [`x-large-${index}`, 'x'.repeat(15_000)]),
      );
      const large = refusals(200, () => fetchStatus('/blocks', headers).catch(() => 0));
      expect(new Set(await viewsDuring(large, 50))).toEqual(new Set([200]));
      expect(new Set(await large)).toEqual(new Set([431]));
    });

    test('requests that wait for an unreachable registry affect no page view of others', async () => {
      await harness.registry.goAway();
      const preview = { cookie: `__Host-Http-preview=${'a'.repeat(43)}` };
      const waiting = refusals(200, (index) =>
        index % 2 ? fetchStatus(`/assets/mfe-blocks/old-${index}.js`) : fetchStatus('/blocks', preview),
      );
      expect(new Set(await viewsDuring(waiting, 50))).toEqual(new Set([200]));
      expect([...new Set(await waiting)].filter((status) => status !== 504 && status !== 429)).toEqual([]);
      expect(await waiting).toContain(504);
      await harness.registry.comeBack();
    });
  },
);
