import { createRequire } from 'node:module';
import { join } from 'node:path';
import webpack, { type Configuration } from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import type { App } from './app.ts';
import { previewAccess } from './preview-access.ts';
import { createWebpackConfigs } from './webpack-config.ts';

const require = createRequire(import.meta.url);

export interface DevServerOptions {
  /** The apps to serve from source. */
  apps: App[];
  port: number;
  /** Makes the document for a path of the site. `clientUrl` is the script that reloads the page after a change. */
  document(path: string, clientUrl: string): Promise<string>;
  /** Where requests go that neither webpack nor `document` answers: path prefix → origin. */
  proxy?: Record<string, string>;
  /** Origins of sites whose dev previews may take code from here (`site preview --dev`). */
  previewOrigins?: string[];
}

export interface RunningDevServer {
  url: string;
  close(): Promise<void>;
}

/** Serves apps from source under the URLs of the real site, and reloads the page when a source changes. */
export async function startDevServer({
  apps,
  port,
  document,
  proxy = {},
  previewOrigins = [],
}: DevServerOptions): Promise<RunningDevServer> {
  const configs = apps.map(
    (app) => createWebpackConfigs(app, 'development', join(app.folder, 'dist')).browser,
  );
  const [first, ...others] = configs;
  const name = apps[0]?.name;
  if (!first || !name) throw new Error('There is no app to serve from source.');

  const server = new WebpackDevServer(
    {
      host: 'localhost',
      port,
      // The client stands once in the page, as an entry of its own: five copies would reload it five times.
      client: false,
      hot: false,
      liveReload: true,
      static: false,
      // One app may be loaded from another origin (a dev preview): its chunks come from where its entry came from.
      ...(others.length === 0 ? { devMiddleware: { publicPath: `/assets/${name}/` } } : {}),
      proxy: Object.entries(proxy).map(([context, target]) => ({
        context: [context],
        target,
        changeOrigin: true,
        ...(context.startsWith('/__') ? { pathRewrite: { [`^${context}`]: '' } } : {}),
      })),
      setupMiddlewares(middlewares, { app }) {
        app?.use((request, response, next) => {
          const path = request.url;
          const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
          if (!wantsPage || path.startsWith('/assets/') || path.startsWith('/__')) {
            next();
            return;
          }
          document(path, `/assets/${name}/dev-client.js`).then(
            (html) => {
              response.setHeader('Content-Type', 'text/html; charset=utf-8');
              response.end(html);
            },
            (error: unknown) => {
              response.statusCode = 502;
              response.end(error instanceof Error ? error.message : String(error));
            },
          );
        });
        return middlewares.map((middleware) =>
          middleware.name === 'cross-origin-header-check'
            ? { name: middleware.name, middleware: previewAccess(previewOrigins) }
            : middleware,
        );
      },
    },
    webpack([withClient(others.length === 0 ? wherever(first) : first), ...others]),
  );
  await server.start();
  return { url: `http://localhost:${port}`, close: () => server.stop() };
}

function wherever(config: Configuration): Configuration {
  return { ...config, output: { ...config.output, publicPath: 'auto' } };
}

function withClient(config: Configuration): Configuration {
  const query = new URLSearchParams({
    // The compiler's name: what another app's compiler has built is no reason to doubt this one.
    name: String(config.name),
    protocol: 'auto:',
    hostname: '0.0.0.0',
    port: '0',
    pathname: '/ws',
    logging: 'warn',
    overlay: 'true',
    reconnect: '10',
    hot: 'false',
    'live-reload': 'true',
  });
  const client = `${require.resolve('webpack-dev-server/client/index.js')}?${query.toString()}`;
  return { ...config, entry: { ...(config.entry as Record<string, string>), 'dev-client': client } };
}
