import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import webpack from 'webpack';
import { loadApp } from '@site/build/app';
import { createWebpackConfigs } from '@site/build/webpack-config';
import { BOOT_DATA_ID, type BootData } from '@site/contract';
import { launchBrowser } from './harness/browser.ts';
import { sharedSite } from './harness/shared-site.ts';
import { repository } from './harness/site.ts';
import { newVisitor, open, type Visitor } from './harness/visitor.ts';

/** Neither the remotes' entries nor the shell contain the federation runtime, but both follow the standard. */
let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  visitor = await newVisitor(browser);
});
afterEach(() => visitor.close());

const blockPattern = new RegExp(`(<script[^>]*id="${BOOT_DATA_ID}"[^>]*>)(.*?)</script>`, 's');

describe('the shell', () => {
  /** Opens a page with mfe-policies from another build, whose files and integrity replace the published ones. */
  async function openWith(build: Build): Promise<void> {
    const { context } = visitor;
    await context.route(`${sharedSite().url}/assets/mfe-policies/*`, async (route) => {
      const file = build.files.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      if (file) await route.fulfill({ body: file, contentType: 'text/javascript' });
      else await route.continue();
    });
    await context.route(`${sharedSite().url}/policies/privacy`, async (route) => {
      const answer = await route.fetch();
      // Its chunks have no integrity: the bundler loads them.
      const headers = { ...answer.headers(), 'integrity-policy': '' };
      await route.fulfill({
        response: answer,
        headers,
        body: (await answer.text()).replace(blockPattern, build.into),
      });
    });
    await open(visitor, `${sharedSite().url}/policies/privacy`);
  }

  async function expectPagesToWork(): Promise<void> {
    const { page } = visitor;
    await page.getByRole('main').getByRole('link', { name: 'Support policy' }).first().click();
    await page.waitForURL('**/policies/support');
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Every backend part, in one box' }).waitFor();
    // Neither retried nor loaded from another build.
    expect(visitor.problems().filter((problem) => problem.includes('could not be loaded'))).toEqual([]);
  }

  test('shows the pages of a remote whose entry has the federation plugin’s own runtime', async () => {
    const build = await buildPolicies();
    expect(build.entry).toContain('RUNTIME-0');
    await openWith(build);
    await expectPagesToWork();
  });
});

interface Build {
  files: ReadonlyMap<string, Buffer>;
  entry: string;
  /** The release data of a document, with this build. */
  into(block: string, start: string, text: string): string;
}

/** mfe-policies with the federation plugin's own runtime. */
async function buildPolicies(): Promise<Build> {
  const folder = await mkdtemp(join(tmpdir(), 'site-stock-remote-'));
  try {
    const app = await loadApp(join(repository, 'mfe-policies'));
    const { browser } = createWebpackConfigs(app, 'production', folder);
    const plugins = (browser.plugins ?? []).filter(
      (plugin) => !/^(NormalModuleReplacement|ChunkIntegrity)Plugin$/.test(plugin?.constructor.name ?? ''),
    );
    await compile({ ...browser, plugins });
    const names = await readdir(join(folder, 'browser'));
    const files = new Map(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(folder, 'browser', name))] as const),
      ),
    );
    const entry = files.get('remoteEntry.js') ?? Buffer.alloc(0);
    const integrity = `sha384-${createHash('sha384').update(entry).digest('base64')}`;
    return {
      files,
      entry: entry.toString(),
      into(_, start, text) {
        const boot = JSON.parse(text) as BootData;
        const remotes = boot.remotes.map((remote) =>
          remote.name === 'mfe-policies'
            ? { ...remote, entry: '/assets/mfe-policies/remoteEntry.js', integrity, scripts: names }
            : remote,
        );
        return `${start}${JSON.stringify({ ...boot, remotes }).replaceAll('<', '\\u003c')}</script>`;
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a host with the federation plugin’s own runtime', () => {
  let folder: string;
  let server: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-stock-host-'));
    await buildHost(folder);
    const host = await readFile(join(folder, 'host.js'));
    // In front of the site, because its files are for its own origin only.
    server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path === '/')
        response
          .setHeader('Content-Type', 'text/html')
          .end('<div id="page"></div><script src="/host.js"></script>');
      else if (path === '/host.js') response.setHeader('Content-Type', 'text/javascript').end(host);
      else
        void fetch(sharedSite().url + path).then(async (answer) => {
          response.setHeader('Content-Type', answer.headers.get('content-type') ?? '');
          response.end(Buffer.from(await answer.arrayBuffer()));
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('shows one of the site’s pages', async () => {
    const html = await (await fetch(`${sharedSite().url}/policies/privacy`)).text();
    const { remotes } = JSON.parse(blockPattern.exec(html)?.[2] ?? '') as BootData;
    const entry = remotes.find(({ name }) => name === 'mfe-policies')?.entry ?? '';
    const { port } = server.address() as AddressInfo;
    await visitor.page.goto(`http://127.0.0.1:${port}/`);
    await visitor.page.evaluate(
      ([address, module]) =>
        (window as unknown as { show(...args: unknown[]): Promise<void> }).show(address, module),
      [entry, 'mfe_policies/privacy-page'],
    );
    await visitor.page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
  });
});

const { version: kitVersion } = JSON.parse(
  readFileSync(join(repository, 'shared/kit/package.json'), 'utf8'),
) as { version: string };

/** As documented: the runtime's own API, modules shared as singletons, and a rendered page of a remote. */
const hostSource = `
import { createRoot } from 'react-dom/client';
import * as React from 'react';
import * as jsx from 'react/jsx-runtime';
import * as kit from '@site/kit';
import { SiteContext } from '@site/kit/host';
import { MemoryRouter } from 'react-router-dom';
import { createInstance } from '@module-federation/enhanced/runtime';

const shared = (lib, version) => ({ version, lib: () => lib, shareConfig: { singleton: true, requiredVersion: '*' } });
window.show = async (entry, module) => {
  const federation = createInstance({
    name: 'stock_host',
    remotes: [{ name: 'mfe_policies', entry: location.origin + entry }],
    shared: {
      react: shared(React, React.version),
      'react/jsx-runtime': shared(jsx, React.version),
      '@site/kit': shared(kit, '${kitVersion}'),
    },
  });
  const { default: Page } = await federation.loadRemote(module);
  const services = {
    config: { origin: location.origin, mode: 'staging', gateway: { base: '', appId: '' }, forms: { base: '', appId: '' } },
    guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
  };
  createRoot(document.getElementById('page')).render(
    jsx.jsx(SiteContext, { value: services, children: jsx.jsx(MemoryRouter, { children: jsx.jsx(Page, {}) }) }),
  );
};
`;

function buildHost(folder: string): Promise<void> {
  return compile({
    mode: 'development',
    devtool: false,
    context: join(repository, 'shell'),
    entry: { host: `data:text/javascript,${encodeURIComponent(hostSource)}` },
    output: { path: folder, filename: 'host.js' },
    resolve: { extensions: ['.ts', '.tsx', '.js'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'ts-loader',
          options: {
            transpileOnly: true,
            configFile: join(repository, 'shared/build/tsconfig.json'),
            compilerOptions: {
              noEmit: false,
              allowImportingTsExtensions: false,
              module: 'ESNext',
              moduleResolution: 'bundler',
            },
          },
        },
      ],
    },
    resolveLoader: {
      modules: [join(repository, 'node_modules'), join(repository, 'shared/build/node_modules')],
    },
  });
}

function compile(configuration: webpack.Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    webpack(configuration, (error, stats) => {
      if (error || !stats) return reject(error ?? new Error('The compiler gave no result.'));
      if (stats.hasErrors()) return reject(new Error(stats.toString('errors-only')));
      return resolve();
    });
  });
}
