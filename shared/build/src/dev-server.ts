import { join } from 'node:path';
import { promisify } from 'node:util';
import webpack from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import type { BootData } from '@site/contract';
import { listenAddresses, listenAtOtherAddresses, refuseOtherHosts } from '@site/contract/loopback';
import { loadApp, type App } from './app.ts';
import { sendDocument, sendShell, sendState, sendTable } from './dev-answers.ts';
import { watchApps } from './dev-apps.ts';
import { devDocument } from './dev-document.ts';
import { createProblemBuild, type ProblemBuild } from './dev-problems.ts';
import { checkTypes, type TypeCheck } from './dev-type-check.ts';
import { previewAccess } from './preview-access.ts';
import { createWebpackConfigs } from './webpack-config.ts';

export interface DevServerOptions {
  folders: string[];
  port: number;
  boot(path: string, apps: readonly App[]): Promise<BootData>;
  shell?: ReadonlyMap<string, Buffer>;
  proxy?: Record<string, string>;
  previewOrigins?: string[];
  /** Logs for the developer. */
  log(line: string): void;
}

export interface RunningDevServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves apps from source under the URLs of the real site. Changes hot-reload; changed declarations are
 * applied; compile and type errors show in the page and the terminal.
 * @throws AppConfigError if a folder is not an app's.
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
  let types = startTypeCheck(server);
  function startTypeCheck({ compiler }: Serving): TypeCheck {
    const check = checkTypes(folders, (texts) => show('types', texts));
    check.hold(false);
    compiler?.hooks.invalid.tap('types', () => check.hold(true));
    compiler?.hooks.done.tap('types', () => check.hold(false));
    return check;
  }
  let exchange = Promise.resolve();

  async function take(current: App[]): Promise<void> {
    log('The declarations of the apps have changed: one moment …');
    types.close();
    await server.stop();
    problems = createProblemBuild();
    server = await serve(current, problems, options);
    types = startTypeCheck(server);
    log(`ready: ${localUrl(port)}`);
  }
  const watched = watchApps(
    apps,
    (current) => {
      exchange = exchange.then(() => take(current)).catch((error: unknown) => log(String(error)));
    },
    (texts) => show('declared', texts),
  );
  return {
    url: localUrl(port),
    async close() {
      watched.close();
      // It starts another type check.
      await exchange;
      types.close();
      await server.stop();
    },
  };
}

const HOST = 'localhost';
const localUrl = (port: number) => `http://${HOST}:${port}`;

interface Serving {
  compiler: WebpackDevServer['compiler'];
  stop(): Promise<void>;
}

async function serve(
  apps: App[],
  problems: ProblemBuild,
  { port, boot, shell, proxy = {}, previewOrigins = [] }: DevServerOptions,
): Promise<Serving> {
  const url = localUrl(port);
  const allowedHosts = previewOrigins.map((origin) => new URL(origin).hostname);
  const configs = apps.map((app) => {
    const { browser } = createWebpackConfigs(app, 'development', join(app.folder, 'dist'));
    // Chunks are loaded from here even on pages of another origin (a dev preview).
    return { ...browser, output: { ...browser.output, publicPath: `${url}/assets/${app.name}/` } };
  });
  const compiler = webpack([...configs, problems.config]);
  let shellFiles: string[] = [];
  compiler.compilers
    .find(({ name }) => name === 'shell')
    ?.hooks.afterEmit.tap('dev-server', ({ assets }) => {
      shellFiles = Object.keys(assets);
    });

  const loadDocument = (devServer: WebpackDevServer) => async (path: string) => {
    const data = await boot(path, apps);
    if (!shell) await valid(devServer);
    return { data, html: devDocument(data, shell ? [...shell.keys()] : shellFiles, problems.script) };
  };

  const server = new WebpackDevServer(
    {
      host: listenAddresses(HOST)[0],
      port,
      allowedHosts: ['localhost', ...allowedHosts],
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
        // After the host check, and replacing the origin check, which allows either all origins or none.
        const at = middlewares.findIndex(({ name }) => name === 'cross-origin-header-check');
        if (at < 0) throw new Error('webpack-dev-server has no cross-origin check to replace.');
        return [
          ...middlewares.slice(0, at),
          { name: 'preview-access', middleware: previewAccess(previewOrigins) },
          { name: 'shell', middleware: sendShell(shell) },
          { name: 'state', middleware: sendState },
          { name: 'table', middleware: sendTable(apps) },
          { name: 'document', middleware: sendDocument(url, loadDocument(devServer)) },
          ...middlewares.slice(at + 1),
        ];
      },
    },
    compiler,
  );
  await server.start();
  let other: Awaited<ReturnType<typeof listenAtOtherAddresses>> | undefined;
  const stopAll = async () => {
    await Promise.all([other?.close(), stop(server)]);
  };
  try {
    if (server.server) {
      other = await listenAtOtherAddresses(server.server, { port, host: HOST });
      refuseOtherHosts(server.server, allowedHosts);
    }
  } catch (error) {
    await stopAll();
    throw error;
  }
  await valid(server);
  return { compiler: server.compiler, stop: stopAll };
}

async function stop(server: WebpackDevServer): Promise<void> {
  const { compiler } = server;
  await server.stop();
  if (compiler) await promisify(compiler.close.bind(compiler))();
}

function valid({ middleware }: WebpackDevServer): Promise<void> {
  return new Promise((resolve) => {
    if (middleware) middleware.waitUntilValid(() => resolve());
    else resolve();
  });
}
