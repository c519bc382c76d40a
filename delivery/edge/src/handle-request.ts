import type { IncomingMessage, ServerResponse } from 'node:http';
import { drawVariants, variantKey } from '@site/contract';
import type { AssetArchive } from './asset-archive.ts';
import { plainBody, type Body } from './body.ts';
import type { LiveRelease, ServedFile } from './load-release.ts';
import { messageOf, type EdgeLog } from './log.ts';
import type { EdgeMetrics } from './metrics.ts';
import { routeRequest, type Answer } from './route-request.ts';
import { send, type Reply } from './send.ts';

export interface HandlerOptions {
  current(): LiveRelease | null;
  revoked(): string[];
  /** Whether a load balancer should send visitors here. */
  isReady(): boolean;
  archive: AssetArchive;
  /** In [0, 1). */
  random(): number;
  log: EdgeLog;
  metrics: EdgeMetrics;
}

const noStore = { 'Cache-Control': 'no-store' };
const emptyBody = plainBody('');

/** Answers every request that a visitor can make. Never throws. */
export function createRequestHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { current, archive, random, log, metrics } = options;

  return async (request, response) => {
    // Nothing here reads a request body; what is sent anyway is thrown away.
    request.resume();
    let kind = 'error';
    let reply: Reply;
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        kind = 'method-not-allowed';
        reply = text(405, 'This address answers GET and HEAD only.', { Allow: 'GET, HEAD', ...noStore });
      } else {
        const draw = (variants: Parameters<typeof drawVariants>[0]) =>
          variantKey(drawVariants(variants, random));
        const answer = routeRequest(request.url ?? '/', current(), draw);
        kind = answer.kind;
        reply = await replyTo(answer);
      }
    } catch (error) {
      log.error({ url: request.url, problem: messageOf(error) }, 'a request failed');
      reply = text(500, 'Something went wrong here. Please try again.', noStore);
    }
    if (current()?.unlisted) response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    try {
      metrics.answered(kind, send(request, response, reply));
    } catch (error) {
      log.error({ url: request.url, problem: messageOf(error) }, 'an answer could not be sent');
      response.destroy();
    }
  };

  async function replyTo(answer: Answer): Promise<Reply> {
    switch (answer.kind) {
      case 'document':
        return {
          status: 200,
          body: answer.document.body,
          headers: {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': answer.document.csp,
            // A drawn page is drawn anew for each load, so nobody may keep it.
            'Cache-Control': answer.drawn ? 'private, no-store' : 'no-cache',
          },
          revalidates: !answer.drawn,
        };
      case 'redirect':
        return {
          status: answer.status,
          body: emptyBody,
          headers: {
            Location: answer.location,
            'Cache-Control': answer.status === 308 ? 'public, max-age=300' : 'no-store',
          },
        };
      case 'asset':
        return file(answer.asset, 'public, max-age=31536000, immutable');
      case 'root-file':
        return file(answer.file, 'public, max-age=3600');
      case 'old-asset':
        return oldAsset(answer.app, answer.path);
      case 'state':
        return json({ release: current()?.id ?? null, revoked: options.revoked() });
      case 'health':
        return text(200, 'ok', noStore);
      case 'ready':
        return options.isReady() ? text(200, 'ready', noStore) : text(503, 'not ready yet', noStore);
      case 'metrics':
        return {
          status: 200,
          body: plainBody(metrics.text()),
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', ...noStore },
        };
      case 'bad-request':
        return text(400, 'This address is not written correctly.', noStore);
      case 'not-found':
        return text(404, 'There is no such file.', { 'Cache-Control': 'no-cache' });
      case 'no-release':
        return noRelease();
    }
  }

  async function oldAsset(app: string, path: string): Promise<Reply> {
    try {
      const asset = await archive.find(app, path);
      if (asset) return file(asset, 'public, max-age=31536000, immutable');
      return text(404, 'There is no such file.', { 'Cache-Control': 'no-cache' });
    } catch (error) {
      log.warn({ app, path, problem: messageOf(error) }, 'cannot tell whether a file exists');
      return text(503, 'This file is not available right now. Please try again.', {
        'Retry-After': '5',
        ...noStore,
      });
    }
  }
}

function file({ body, contentType }: ServedFile, cacheControl: string): Reply {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': cacheControl,
      // Other sites may show our images (link previews), and nothing else.
      ...(contentType.startsWith('image/') ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
    },
    revalidates: true,
  };
}

function text(status: number, message: string, headers: Record<string, string>): Reply {
  return {
    status,
    body: plainBody(`${message}\n`),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  };
}

function json(value: unknown): Reply {
  return {
    status: 200,
    body: plainBody(JSON.stringify(value)),
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...noStore },
  };
}

const startingPage: Body = plainBody(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">' +
    '<title>One moment</title></head><body><h1>One moment</h1>' +
    '<p>The site is starting. This page tries again in five seconds.</p></body></html>\n',
);

function noRelease(): Reply {
  return {
    status: 503,
    body: startingPage,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': '5', ...noStore },
  };
}
