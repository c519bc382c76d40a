import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { launchBrowser } from '../e2e/harness/browser.ts';
import { answers } from './sample-answers.ts';
import { bad, good, now } from './sample-site.ts';

/**
 * `npm run pictures [folder]`: the views of the console as pictures, with the data of an invented site.
 * Without a folder those of the documents; with one all views, narrow and wide, light and dark, to be looked
 * at.
 */

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'delivery/console/dist');
const folder = process.argv[2];

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  woff2: 'font/woff2',
};

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path.endsWith('/marks')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: marks\ndata: {}\n\n');
    return;
  }
  if (path.startsWith('/v1/') || path === '/console/session') {
    const [, answer] = answers.find(([pattern]) => pattern.test(path)) ?? [];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(answer ?? { errors: [{ code: 'unknown', detail: `No sample for ${path}.` }] }),
    );
    return;
  }
  const name = path.replace(/^\/console\/?/, '').replace(/[?#].*/, '');
  const file = /\.[a-z0-9]+$/.test(name) ? name : 'index.html';
  readFile(join(dist, file)).then(
    (bytes) => {
      response.writeHead(200, {
        'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      });
      response.end(bytes);
    },
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const views = {
  now: '/',
  remote: '/apps/mfe-blocks',
  compare: `/apps/mfe-blocks/compare/${bad}/${good}`,
  timeline: '/timeline',
  difference: '/timeline/r40/r41',
  faults: '/faults',
  forms: '/forms',
  inbox: '/inbox?form=partner-application',
  experiments: '/experiments',
  freezes: '/freezes',
  apps: '/apps',
  audit: '/audit',
  tokens: '/tokens',
};

const wide = { width: 1440, height: 900 };
const narrow = { width: 360, height: 740 };

interface Picture {
  to: string;
  path: string;
  size: typeof wide;
  scheme: 'light' | 'dark';
  whole?: boolean;
  rollBack?: boolean;
}

const all: Picture[] = [wide, narrow].flatMap((size) =>
  (['light', 'dark'] as const).flatMap((scheme) => [
    ...Object.entries(views).map(([name, path]) => ({
      to: join(folder ?? '', `${name}-${size.width}-${scheme}.png`),
      path,
      size,
      scheme,
      whole: true,
    })),
    {
      to: join(folder ?? '', `rollback-${size.width}-${scheme}.png`),
      path: '/',
      size,
      scheme,
      rollBack: true,
    },
  ]),
);
const ofDocuments: Picture[] = Object.entries({ ...views, rollback: views.now }).map(([name, path]) => ({
  to: join(root, `docs/images/console-${name}.jpg`),
  path,
  size: { width: 1120, height: 740 },
  scheme: 'light',
  rollBack: name === 'rollback',
}));

const browser = await launchBrowser();
try {
  for (const { to, path, size, scheme, whole = false, rollBack = false } of folder === undefined
    ? ofDocuments
    : all) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme: scheme,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') process.stderr.write(`${path}: ${message.text()}\n`);
    });
    page.on('pageerror', (error) => process.stderr.write(`${path}: ${error.message}\n`));
    await page.clock.setFixedTime(now);
    await page.goto(`http://127.0.0.1:${port}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
    await page.waitForFunction(
      () => !/^(Reading|Drawing) /m.test(document.querySelector('main')?.innerText ?? ''),
    );
    if (rollBack) {
      await page.getByRole('button', { name: 'Roll back mfe-blocks' }).first().click();
      await page.getByText('Visitors see errors').click();
      await page.getByText(/page views with .* in the last hour/).waitFor();
    }
    await mkdir(join(to, '..'), { recursive: true });
    await page.screenshot({
      path: to,
      fullPage: whole,
      ...(to.endsWith('.jpg') ? { type: 'jpeg', quality: 45 } : {}),
    });
    await context.close();
  }
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
