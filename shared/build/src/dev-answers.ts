import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { DEV_TABLE_PATH, type BootData, type BootTable } from '@site/contract';
import type { SignalsToken } from '@site/contract/signals/report.schema';
import type { StateAnswer } from '@site/contract/urls';
import type { App } from './app.ts';
import { devRoutes } from './dev-document.ts';
import { devPolicy } from './dev-policy.ts';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendShell(shell: ReadonlyMap<string, Buffer> | undefined): Middleware {
  return ({ url }, response, next) => {
    const path = url?.replace(/^\/assets\/shell\/|\?.*$/g, '') ?? '';
    const file = url?.startsWith('/assets/shell/') ? shell?.get(path) : undefined;
    if (!file) return next();
    send(response, contentTypes[extname(path)] ?? 'application/octet-stream', file);
  };
}

/** Nothing is revoked. */
export const sendState: Middleware = ({ url }, response, next) => {
  if (!url?.startsWith('/__site/')) return next();
  const nothing: Pick<StateAnswer, 'revoked'> & SignalsToken = { revoked: [], token: null };
  send(response, JSON_TYPE, JSON.stringify(nothing));
};

export function sendTable(apps: readonly App[]): Middleware {
  return ({ url }, response, next) => {
    if (url !== DEV_TABLE_PATH) return next();
    const declared = apps.flatMap((app) => app.remote?.redirects ?? []);
    const table: BootTable = {
      remotes: [],
      routes: apps.flatMap(devRoutes),
      redirects: [{ from: '*', to: '/' }, ...declared],
    };
    send(response, JSON_TYPE, JSON.stringify(table));
  };
}

/**
 * The document of every page.
 * @param url of the dev server.
 * @param loadDocument throws a message for the developer.
 */
export function sendDocument(
  url: string,
  loadDocument: (path: string) => Promise<{ data: BootData; html: string }>,
): Middleware {
  return (request, response, next) => {
    const path = request.url ?? '/';
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (!wantsPage || /^\/(?:assets\/|__|webpack-dev-server)/.test(path)) return next();
    loadDocument(path)
      .then(({ data, html }) => {
        response.setHeader('Content-Security-Policy', devPolicy(data.config, url));
        send(response, 'text/html; charset=utf-8', html);
      })
      .catch((error: unknown) => {
        response.statusCode = 502;
        send(response, 'text/plain; charset=utf-8', error instanceof Error ? error.message : String(error));
      });
  };
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('Content-Type', type);
  response.end(body);
}

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.map': JSON_TYPE,
};
