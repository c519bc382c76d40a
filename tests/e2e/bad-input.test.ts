import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { freePorts } from '@site/server/testing/free-ports';
import { runCli, startSite, type Site } from './harness/site.ts';

/** Errors state the problem and the remedy; nothing crashes and nothing changes. */

let site: Site;
let checkout: CheckoutCopy;
let before: string;

beforeAll(async () => {
  checkout = await copyCheckout();
  site = await startSite({ root: checkout.root });
  before = await status();
});
afterAll(async () => {
  expect(await status()).toBe(before);
  expect(await site.stop()).toBe(0);
  await checkout.remove();
});

async function status(): Promise<string> {
  const { code, stdout } = await site.cli('status', '--json');
  expect(code).toBe(0);
  const { state, release, apps } = JSON.parse(stdout) as Record<string, unknown>;
  return JSON.stringify({ state, release, apps });
}

/** Runs a command that must be rejected. @returns its output, without a stack trace. */
async function refused(run: Promise<{ code: number; stdout: string; stderr: string }>): Promise<string> {
  const { code, stdout, stderr } = await run;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe('publishing', () => {
  const config = (fields: string) =>
    `import { defineRemote } from '@site/contract';\nexport default defineRemote({ name: 'mfe-blocks', owner: 'blocks', redirects: [], ${fields} } as never);\n`;
  const page = "page: './src/pages/blocks-page.tsx'";

  test.each([
    ['has a syntax error', 'export default {', ['remote.config.ts', 'cannot be loaded']],
    [
      'has a path without a slash',
      config(`pages: [{ path: 'blocks', ${page} }]`),
      ['remote.config.ts', 'pages.0.path', 'got "blocks"'],
    ],
    ['has no pages', config('pages: []'), ['remote.config.ts', 'A remote has at least one page']],
    [
      'names a missing page',
      config("pages: [{ path: '/blocks', page: './src/pages/not-there.tsx' }]"),
      ['not-there'],
    ],
  ])('is rejected if remote.config.ts %s, with the position', async (_case, text, parts) => {
    const file = join(checkout.root, 'mfe-blocks/remote.config.ts');
    const good = join(checkout.root, 'remote.config.good.ts');
    await cp(file, good);
    await writeFile(file, text);
    const message = await refused(site.cli('publish', 'mfe-blocks'));
    await cp(good, file);
    expect(message).toContain('mfe-blocks does not build; nothing was published');
    for (const part of parts) expect(message).toContain(part);
  });

  test('is rejected for a path of another remote; the message names both remotes and the path', async () => {
    const file = 'mfe-blocks/remote.config.ts';
    await checkout.edit(file, "path: '/blocks/auth'", "path: '/partners'");
    const message = await refused(site.cli('publish', 'mfe-blocks'));
    for (const part of ['mfe-blocks', '"/partners"', 'mfe-partners']) expect(message).toContain(part);

    // Publishing it together with other apps is rejected too: the owner of a path does not depend on live versions.
    const later = site.cli('publish', 'mfe-blocks', '--no-build', '--defer-live-checks');
    expect(await refused(later)).toContain('reserved for mfe-partners');
    await checkout.edit(file, "path: '/partners'", "path: '/blocks/auth'");
  });

  test('rejects an unknown app and lists the known ones', async () => {
    const message = await refused(site.cli('publish', 'mfe-block'));
    for (const part of [
      '"mfe-block"',
      'mfe-blocks',
      'mfe-marketing',
      'mfe-partners',
      'mfe-policies',
      'shell',
    ])
      expect(message).toContain(part);
  });

  test.each([
    [['activate', 'mfe-nothing'], ['mfe-nothing']],
    [['activate', 'mfe-blocks@1.0.0-000000000000'], ['mfe-blocks@1.0.0-000000000000']],
    [
      ['activate', 'mfe-blocks@latest'],
      ['"mfe-blocks@latest"', '<app>@<version>'],
    ],
    [
      ['rollback', 'mfe-nothing', '--reason', 'x'],
      ['"mfe-nothing"', 'mfe-blocks'],
    ],
    [['rollback', 'mfe-policies', '--reason', 'x'], ['mfe-policies']],
  ])('`site %j` is rejected', async (args, parts) => {
    const message = await refused(site.cli(...args));
    for (const part of parts) expect(message).toContain(part);
  });

  const withEnv = (env: Record<string, string>, ...args: string[]) =>
    runCli(checkout.root, args, {
      ...process.env,
      NODE_ENV: '',
      DATA_DIR: site.dataDir,
      SITE_REGISTRY: site.registry,
      ...env,
    });

  test('without a registry, the message contains its address and the remedy', async () => {
    const nobody = `http://localhost:${await freePorts()}`;
    for (const args of [['status'], ['publish', 'mfe-blocks'], ['activate', 'mfe-blocks']]) {
      const message = await refused(withEnv({ SITE_REGISTRY: nobody }, ...args));
      expect(message).toContain(nobody);
      expect(message).toContain('npm start');
      expect(message).toContain('SITE_REGISTRY');
    }
  });

  test('a server that is not a registry is reported as such', async () => {
    const message = await refused(withEnv({ SITE_REGISTRY: site.url }, 'status'));
    expect(message).toContain(site.url);
    expect(message).toContain('SITE_REGISTRY');
  });

  test('a wrong token changes nothing, and the error names the contact; with --json as JSON', async () => {
    const env = { SITE_TOKEN: 'not-a-token' };
    for (const args of [
      ['publish', 'mfe-blocks', '--no-build'],
      ['rollback', 'mfe-blocks', '--reason', 'x'],
    ]) {
      expect(await refused(withEnv(env, ...args))).toMatch(/token.*\(token_invalid\)\n$/s);
    }
    const { stderr } = await withEnv(env, 'activate', 'mfe-blocks', '--json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'token_invalid' } });
  });
});

describe('the services', () => {
  interface Errors {
    errors: { status: string; code: string; title: string; detail: string }[];
  }

  async function readError(url: string, init: RequestInit): Promise<Errors['errors'][number]> {
    const response = await fetch(url, init);
    expect(response.headers.get('content-type')).toMatch(/^application\/(vnd\.api\+)?json/);
    const { errors } = (await response.json()) as Errors;
    const [first] = errors;
    expect(first).toMatchObject({
      status: String(response.status),
      code: expect.any(String) as string,
      detail: expect.any(String) as string,
    });
    return first as Errors['errors'][number];
  }

  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  const json = { 'content-type': 'application/json', appid: 'site-gateway' };
  const notJson = ['{', 'hello', '[1,', '\u0000', 'null'];

  test.each(notJson)('gateway and forms reject the body %j', async (body) => {
    for (const url of [`${site.gateway}guests`, `${site.forms}subscriptions`]) {
      const error = await readError(url, { method: 'POST', headers: json, body });
      expect(['400', '401', '422']).toContain(error.status);
    }
    const error = await readError(`${site.gateway}guests`, { method: 'POST', headers: json, body });
    expect(error.code).toMatch(/^body_(not_json|invalid)$/);
  });

  test.each([
    ['no bearer token', { authorization: 'Basic YTpi' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a malformed JWT', { authorization: 'Bearer garbage' }],
    [
      'a JWT without a signature',
      { authorization: `Bearer eyJhbGciOiJub25lIn0.${btoa(`{"user_unique_id":"${id}"}`)}.` },
    ],
    ['a huge token', { authorization: `Bearer ${'a'.repeat(6_000)}` }],
  ])('both respond with 401 to a request with %s', async (_case, headers) => {
    const requests: [string, RequestInit][] = [
      [`${site.gateway}guests/${id}`, { headers: { ...json, ...headers } }],
      [`${site.forms}identities/${id}`, { headers: { ...json, ...headers } }],
      [`${site.forms}subscriptions`, { method: 'POST', headers: { ...json, ...headers }, body: '{}' }],
    ];
    for (const [url, init] of requests) {
      const { status, detail } = await readError(url, init);
      expect({ url, status }).toEqual({ url, status: '401' });
      expect(detail).not.toContain('garbage'); // tokens are never repeated
    }
  });

  test('a body that is too large or of another type, and an unknown route, result in an error document', async () => {
    const guests = `${site.gateway}guests`;
    const large = JSON.stringify({ unique_id: 'x'.repeat(100_000) });
    expect(await readError(guests, { method: 'POST', headers: json, body: large })).toMatchObject({
      status: '413',
    });
    const text = { ...json, 'content-type': 'text/plain' };
    expect(await readError(guests, { method: 'POST', headers: text, body: 'x' })).toMatchObject({
      status: '415',
    });
    expect(await readError(`${site.gateway}nothing`, { headers: json })).toMatchObject({ status: '404' });
  });
});

describe('the site and its services survive', () => {
  /** Sends raw bytes. @returns everything received until the server closed. */
  function raw(port: number, bytes: Buffer | string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: 'localhost' });
      let answer = '';
      socket.setTimeout(30_000, () => {
        socket.destroy();
        reject(new Error(`No end after 30 s; so far: ${answer.slice(0, 200)}`));
      });
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.on('close', () => resolve(answer));
      // A server may close before it has read everything.
      socket.on('error', () => undefined);
      socket.write(bytes);
    });
  }

  const get = (path: string, headers = '') =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`, 'latin1');
  const parseStatus = (answer: string) => Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0);

  async function expectAllAlive(): Promise<void> {
    for (const base of [site.ops, site.gateway, site.forms, site.registry]) {
      const response = await fetch(new URL('/healthz', base));
      expect({ base, status: response.status }).toEqual({ base, status: 200 });
    }
    const page = await fetch(`${site.url}/home`);
    expect(page.status).toBe(200);
    expect((await page.text()).length).toBeGreaterThan(1_000);
  }

  afterEach(expectAllAlive);

  test.each<[string, Buffer | string]>([
    ['noise', Buffer.concat([randomBytes(4_096), Buffer.from('\r\n\r\n')])],
    ['a TLS greeting', Buffer.from('1603010200010001fc0303', 'hex')],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n'],
    ['two content lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'both a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x',
    ],
    ['headers of 200 KB', get('/home', `X-Large: ${'a'.repeat(200_000)}\r\n`)],
    ['a path of 100 KB', get(`/${'a'.repeat(100_000)}`)],
  ])('%s', async (_case, bytes) => {
    for (const port of [0, 1, 2, 3, 4].map((offset) => site.port + offset)) {
      const status = parseStatus(await raw(port, bytes));
      expect([400, 414, 431]).toContain(status);
    }
  });

  test('connections that are closed early', async () => {
    for (const part of ['GET /ho', 'POST /guests HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"uni']) {
      for (const port of [0, 1, 2, 3, 4].map((offset) => site.port + offset)) {
        await new Promise<void>((resolve) => {
          const socket = connect({ port, host: 'localhost' });
          socket.on('error', () => undefined);
          socket.on('close', () => resolve());
          socket.write(part, () => socket.resetAndDestroy());
        });
      }
    }
  });

  test.each(['/%', '/%E0%A4%A', '/%00', '/blocks%00.html', '/home%ff', '/\u00ff\u00fe', '*', 'home'])(
    'the address %j does not cause a server error',
    async (path) => {
      const status = parseStatus(await raw(site.port, get(path)));
      expect([302, 400, 404]).toContain(status);
    },
  );

  test.each([
    '/../../../../etc/passwd',
    '/assets/../../../../../../etc/passwd',
    '/assets/shell/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/assets/shell/%2e%2e/%2e%2e/%2e%2e/tokens.json',
    '/assets/..%5c..%5ctokens.json',
    '/assets/mfe-blocks//etc/passwd',
    '/assets/mfe-blocks/../../tokens.json',
    '/.data/tokens.json',
    '//tokens.json',
    '/assets/__proto__/constructor',
    '/assets/constructor/prototype',
  ])('%s does not return a file', async (path) => {
    const answer = await raw(site.port, get(path));
    // An address like a page's redirects to /home, like any unknown address.
    expect(answer).toMatch(/^HTTP\/1\.1 (404 |302 .*\r\nlocation: \/home\r\n)/is);
    expect(answer).not.toMatch(/root:|"ops"/);
  });

  test('an address with another host or markup in its query does not redirect elsewhere', async () => {
    for (const path of ['//evil.example/home', '/\\evil.example', '/unknown?next=//evil.example']) {
      const answer = await raw(site.port, get(path));
      const location = /^location: (.*)$/im.exec(answer)?.[1]?.trim() ?? '/';
      expect(new URL(location, site.url).origin).toBe(site.url);
    }
    const page = await (await fetch(`${site.url}/start?x="><script>alert(1)</script>`)).text();
    expect(page.includes('alert(1)')).toBe(false);
  });
});
