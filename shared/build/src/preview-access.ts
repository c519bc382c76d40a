import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Restricts who may load from a dev server: only pages of the given sites, which show a preview with the
 * remote from this machine, because the source is unpublished.
 * Replaces webpack-dev-server's own check, which allows either all origins or none.
 * @see https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header
 * @see https://wicg.github.io/local-network-access/
 */
export function previewAccess(
  origins: readonly string[],
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const { headers } = request;
    response.setHeader('Vary', 'Origin');
    // Image requests have no `Origin`, only a `Referer`.
    const asker = headers.origin ?? parseOrigin(headers.referer);
    if (asker !== null && origins.includes(asker)) {
      response.setHeader('Access-Control-Allow-Origin', asker);
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      if (request.method === 'OPTIONS') {
        response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
        // Private network access: a public site needs this permission.
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
      response.end('This dev server responds only to pages of the site.');
      return;
    }
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    next();
  };
}

function parseOrigin(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
