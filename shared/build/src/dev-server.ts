import { join } from 'node:path';
import { promisify } from 'node:util';
import webpack from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import type { BootData } from '@site/contract';
import { loadApp, type App } from './app.ts';
import { sendDocument, sendShell, sendState, sendTable } from './dev-answers.ts';
import { watchApps } from './dev-apps.ts';
import { devDocument } from './dev-document.ts';
import { createProblemBuild, type ProblemBuild } from './dev-problems.ts';
import { checkTypes, type TypeCheck } from './dev-type-check.ts';
import { previewAccess } from './preview-access.ts';
import { createWebpackConfigs } from './webpack-config.ts';

export interface DevServerOptions {
  /** Of the apps to serve from source. */
  folders: string[];
  port: number;
  /** What the document for a path of the site says. @throws Error with what the developer is to read instead. */
  boot(path: string, apps: readonly App[]): Promise<BootData>;
  /** A development build of the shell, by path below `/assets/shell/`, when the shell is not served from source. */
  shell?: ReadonlyMap<string, Buffer>;
  /** Where requests go that are answered in no other way: path prefix → origin. */
  proxy?: Record<string, string>;
  /** Origins of sites whose dev previews may take code from here (`site preview --dev`). */
  previewOrigins?: string[];
  /** Tells the developer something. */
  log(line: string): void;
}

export interface RunningDevServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves apps from source under the URLs of the real site. Changes come into open pages; new declarations of an app are taken up;
 * what does not compile, or has wrong types, is shown there and in the terminal.
 *
 * @throws AppConfigError when a folder is not that of an app.
 */
export async function startDevServer(options: DevServerOptions): Promise<RunningDevServer> {
  const { folders, port, log } = options;
  const found: Record<'types' | 'declared', string[]> = { types: [], declared: [] };
  let problems = createProblemBuild();
  const show = (kind: keyof typeof found, texts: string[]) => {
    found[kind] = texts;
    problems.show([...found.declared, ...found.types]);
  };

  const apps = await Promise.all(folders.map((folder) => loadApp(folder)));
  let server = await serve(apps, problems, options);
  let types = checkTypesOf(server);
  /** Beside a server that has built its pages: the next ones are built before their types are checked. */
  function checkTypesOf({ compiler }: WebpackDevServer): TypeCheck {
    const check = checkTypes(folders, (texts) => show('types', texts));
    check.hold(false);
    compiler?.hooks.invalid.tap('types', () => check.hold(true));
    compiler?.hooks.done.tap('types', () => check.hold(false));
    return check;
  }
  /** One exchange of the server after the other. */
  let exchange = Promise.resolve();

  async function take(current: App[]): Promise<void> {
    log('What the apps declare has changed: one moment …');
    types.close();
    await stop(server);
    problems = createProblemBuild();
    server = await serve(current, problems, options);
    types = checkTypesOf(server);
    log(`ready: ${urlOf(port)}`);
  }
  const watched = watchApps(
    apps,
    (current) => {
      exchange = exchange.then(() => take(current)).catch((error: unknown) => log(String(error)));
    },
    (texts) => show('declared', texts),
  );
  return {
    url: urlOf(port),
    async close() {
      watched.close();
      // It starts another check of the types.
      await exchange;
      types.close();
      await stop(server);
    },
  };
}

const urlOf = (port: number) => `http://localhost:${port}`;

async function serve(
  apps: App[],
  problems: ProblemBuild,
  { port, boot, shell, proxy = {}, previewOrigins = [] }: DevServerOptions,
): Promise<WebpackDevServer> {
  const url = urlOf(port);
  const configs = apps.map((app) => {
    const { browser } = createWebpackConfigs(app, 'development', join(app.folder, 'dist'));
    // Also a page of another origin may load an app (a dev preview): its chunks come from here.
    return { ...browser, output: { ...browser.output, publicPath: `${url}/assets/${app.name}/` } };
  });
  const compiler = webpack([...configs, problems.config]);
  /** Of the shell, when it is served from source: as the last build has made them. */
  let shellFiles: string[] = [];
  compiler.compilers
    .find(({ name }) => name === 'shell')
    ?.hooks.afterEmit.tap('dev-server', ({ assets }) => {
      shellFiles = Object.keys(assets);
    });

  const documentOf = (devServer: WebpackDevServer) => async (path: string) => {
    const data = await boot(path, apps);
    if (!shell) await valid(devServer);
    return { data, html: devDocument(data, shell ? [...shell.keys()] : shellFiles, problems.script) };
  };

  const server = new WebpackDevServer(
    {
      host: 'localhost',
      port,
      allowedHosts: ['localhost', ...previewOrigins.map((origin) => new URL(origin).hostname)],
      client: {
        logging: 'warn',
        overlay: { errors: true, warnings: false, runtimeErrors: true },
        reconnect: true,
        webSocketURL: { protocol: 'ws', hostname: 'localhost', port },
      },
      webSocketServer: { type: 'ws', options: { path: '/__dev/ws' } },
      hot: true,
      liveReload: false,
      static: false,
      proxy: Object.entries(proxy).map(([context, target]) => ({
        context: [context],
        target,
        changeOrigin: true,
        ...(context.startsWith('/__') ? { pathRewrite: { [`^${context}`]: '' } } : {}),
      })),
      setupMiddlewares(middlewares, devServer) {
        // Behind the check of the host, and in place of the one of origins, which knows either everybody or nobody.
        const at = middlewares.findIndex(({ name }) => name === 'cross-origin-header-check');
        if (at < 0)
          throw new Error('webpack-dev-server has no check of origins to put ours in the place of.');
        return [
          ...middlewares.slice(0, at),
          { name: 'preview-access', middleware: previewAccess(previewOrigins) },
          { name: 'shell', middleware: sendShell(shell) },
          { name: 'state', middleware: sendState },
          { name: 'table', middleware: sendTable(apps) },
          { name: 'document', middleware: sendDocument(url, documentOf(devServer)) },
          ...middlewares.slice(at + 1),
        ];
      },
    },
    compiler,
  );
  await server.start();
  await valid(server);
  return server;
}

/** With its compiler, which would go on to write what the next one reads: the cache on the disk is one for all. */
async function stop(server: WebpackDevServer): Promise<void> {
  const { compiler } = server;
  await server.stop();
  if (compiler) await promisify(compiler.close.bind(compiler))();
}

/** Once there is something to see, or to read. */
function valid({ middleware }: WebpackDevServer): Promise<void> {
  return new Promise((resolve) => {
    if (middleware) middleware.waitUntilValid(() => resolve());
    else resolve();
  });
}
