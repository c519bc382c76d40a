import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Who else may take what a dev server serves: the pages of certain sites, which show a preview with the remote from
 * this machine, and nobody else, since it is a developer's unpublished source.
 *
 * In place of webpack-dev-server's own check, which knows either everybody or nobody.
 *
 * @see https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header
 * @see https://wicg.github.io/local-network-access/
 */
export function previewAccess(
  origins: readonly string[],
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const { headers } = request;
    response.setHeader('Vary', 'Origin');
    // Images come without an `Origin`, but say where they are shown.
    const asker = headers.origin ?? originOf(headers.referer);
    if (asker !== null && origins.includes(asker)) {
      response.setHeader('Access-Control-Allow-Origin', asker);
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      if (request.method === 'OPTIONS') {
        response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
        // A public site may ask a machine on a private network only when that machine says so.
        response.setHeader('Access-Control-Allow-Private-Network', 'true');
        response.statusCode = 204;
        response.end();
        return;
      }
      next();
      return;
    }
    if (headers['sec-fetch-mode'] === 'no-cors' && headers['sec-fetch-site'] === 'cross-site') {
      response.statusCode = 403;
      response.end('This dev server answers only pages of its own site.');
      return;
    }
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    next();
  };
}

function originOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
