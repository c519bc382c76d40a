import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { startDevServer, type DevServer } from './harness/dev-server.ts';
import { sharedSite } from './harness/shared-site.ts';
import { until } from './harness/until.ts';
import { newVisitor, open, type Visitor } from './harness/visitor.ts';

/**
 * `npm run dev -w mfe-partners` against the shared site, in a separate checkout. One page stays open; each test
 * restores the sources.
 */

const page = 'mfe-partners/src/pages/partners-page.tsx';
const config = 'mfe-partners/remote.config.ts';
const headline = 'Be the brick that joins';

let checkout: CheckoutCopy;
let browser: Browser;
let server: DevServer;
let developer: Visitor;

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  server = await startDevServer(checkout.root, 'mfe-partners', sharedSite().url);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await checkout.remove();
});
beforeEach(async () => {
  developer = await newVisitor(browser);
  await open(developer, `${server.url}/partners`);
  await developer.page.evaluate(() => Object.assign(window, { sameDocument: true }));
});
afterEach(() => developer.close());

const stayed = () => developer.page.evaluate(() => 'sameDocument' in window);
const heading = (name: string) => developer.page.getByRole('heading', { level: 1, name });
const overlay = () => developer.page.frameLocator('#webpack-dev-server-client-overlay').locator('body');

/** The number of "ready" messages: one at the start, and one for each change of the apps' declarations. */
const timesReady = () => [...server.output().matchAll(/^ready: /gm)].length;

/** Waits for the restarted server, and for the open page to reload. */
async function exchanged(times: number) {
  await until(async () => expect([timesReady() > times, await stayed()]).toEqual([true, false]));
  await developer.page.evaluate(() => Object.assign(window, { sameDocument: true }));
}

/** Replaces a file's contents during the callback. */
async function whileChanged(file: string, change: (text: string) => string, run: () => Promise<void>) {
  const path = join(checkout.root, file);
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} would stay as it is.`);
  await writeFile(path, changed);
  try {
    await run();
  } finally {
    await writeFile(path, text);
  }
}

test.each(['127.0.0.1', '::1'])('localhost answers at %s, even after a changed declaration', async (host) => {
  const { port } = new URL(server.url);
  const statusAt = async (name = 'localhost') => {
    const request = get({
      host,
      port,
      path: '/partners',
      headers: { accept: 'text/html', host: `${name}:${port}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.destroy();
    return response.statusCode;
  };
  expect(await statusAt()).toBe(200);
  // DNS rebinding
  expect(await statusAt('attacker.example')).toBe(421);
  const before = timesReady();
  const changed = (text: string) =>
    text.replace('redirects: [', "redirects: [{ from: '/partner', to: '/partners' }, ");
  await whileChanged(config, changed, async () => {
    await exchanged(before);
    expect([await statusAt(), await statusAt('attacker.example')]).toEqual([200, 421]);
  });
  await exchanged(before + 1);
});

test('the socket with build errors is closed to a page that gives this machine its own name (DNS rebinding)', async () => {
  const { hostname, host, port } = new URL(server.url);
  const firstMessage = async (name: string) => {
    const headers = {
      host: name,
      origin: `http://${name}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const request = get({ host: hostname, port, path: '/__dev/ws', headers });
    const [, socket, head] = (await once(request, 'upgrade')) as [IncomingMessage, Socket, Buffer];
    const [message] = head.length > 0 ? [head] : ((await once(socket, 'data')) as [Buffer]);
    socket.destroy();
    return message.toString();
  };
  expect(await firstMessage(host)).not.toContain('Invalid Host');
  expect(await firstMessage(`attacker.example:${port}`)).toContain('Invalid Host/Origin header');
});

test('a changed component hot-reloads without losing form input', async () => {
  const field = developer.page.getByRole('textbox', { name: 'From: your email' });
  await field.fill('me@example.com');
  const changed = (text: string) => text.replace(headline, 'Join in');
  await whileChanged(page, changed, async () => {
    await heading('Join in').waitFor();
    expect([await field.inputValue(), await stayed()]).toEqual(['me@example.com', true]);
  });
  await heading(headline).waitFor();
  expect([await field.inputValue(), await stayed()]).toEqual(['me@example.com', true]);
  // Under the production CSP, and with React's development warnings.
  expect(developer.problems()).toEqual([]);
});

test('a changed style hot-reloads without a page reload', async () => {
  const gap = () =>
    developer.page
      .locator('#apply [class]')
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).rowGap));
  const changed = (text: string) => text.replace('gap: var(--space-l)', 'gap: 123px');
  expect(await gap()).not.toContain('123px');
  await whileChanged('mfe-partners/src/pages/partners-page.module.css', changed, () =>
    until(async () => expect(await gap()).toContain('123px')),
  );
  await until(async () => expect(await gap()).not.toContain('123px'));
  expect(await stayed()).toBe(true);
});

test('a type error shows in page and terminal, and the page keeps working', async () => {
  const changed = (text: string) => text.replace(headline, 'Join in').replace('number={1}', 'number="one"');
  await whileChanged(page, changed, async () => {
    await heading('Join in').waitFor();
    await overlay().getByText("Type 'string' is not assignable to type 'number'").waitFor();
    expect(await overlay().innerText()).toMatch(/partners-page\.tsx:\d+:\d+/);
    expect(server.output()).toMatch(/partners-page\.tsx:\d+:\d+ - error TS2322/);
  });
  await overlay().waitFor({ state: 'detached' });
  await heading(headline).waitFor();
  expect(await stayed()).toBe(true);
});

test('a build error shows with its line, and disappears when it is fixed', async () => {
  const changed = (text: string) => text.replace(`title="${headline}"`, `title="${headline}`);
  await whileChanged(page, changed, async () => {
    await overlay().getByText('partners-page.tsx').first().waitFor();
    expect(await overlay().innerText()).toMatch(/partners-page\.tsx:(\d+):1\][^]*\b\1 \|\s+lead=/);
  });
  await overlay().waitFor({ state: 'detached' });
  // On a busy machine webpack may reload the page instead.
  await heading(headline).waitFor();
});

test('a page added after the start can be opened; an invalid configuration is reported', async () => {
  const added = join(checkout.root, 'mfe-partners/src/pages/added-page.tsx');
  await writeFile(added, (await readFile(join(checkout.root, page), 'utf8')).replace(headline, 'Added'));
  const declared = (text: string) =>
    text.replace('pages: [', "pages: [{ path: '/partners/added', page: './src/pages/added-page.tsx' }, ");
  await whileChanged(
    config,
    (text) => text.replace("path: '/partners'", "path: 'partners'"),
    async () => {
      await overlay().getByText('remote.config.ts is not a valid remote').waitFor();
      expect(server.output()).toContain('remote.config.ts is not a valid remote');
    },
  );
  await overlay().waitFor({ state: 'detached' });
  const before = timesReady();
  await whileChanged(config, declared, async () => {
    await exchanged(before);
    await developer.page.goto(`${server.url}/partners/added`);
    await heading('Added').waitFor();
  });
  await exchanged(before + 1);
});

test('a render error shows, and the page recovers when it is fixed', async () => {
  const changed = (text: string) =>
    text.replace(
      '  return (\n    <Page',
      "  if (description) throw new Error('No bricks left');\n  return (\n    <Page",
    );
  await whileChanged(page, changed, () =>
    developer.page.getByRole('main').getByText('No bricks left').first().waitFor(),
  );
  // A failed hot update reloads the page.
  await heading(headline).waitFor();
});
