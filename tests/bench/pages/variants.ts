import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { compressBrotli } from '@site/server/encoded-body';
import { MONOLITH_PATH, type Monolith } from './monolith.ts';

/** The variants of a page: the site itself, its document without scripts, or with the monolith's scripts. */
export const variants = ['site', 'static', 'monolith'] as const;
export type Variant = (typeof variants)[number];

export interface VariantServer {
  port: number;
  asked(): string[];
  close(): Promise<void>;
}

interface Kept {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/**
 * A proxy in front of an edge that serves the variant in the cookie `variant`. All three variants use the proxy, so its
 * cost is the same. Changed documents are cached, and compressed like the edge's.
 */
export async function startVariants(site: URL, monolith: Monolith): Promise<VariantServer> {
  const documents = new Map<string, Promise<Kept>>();
  const scripts = new Map<string, Buffer>();
  for (const [name, bytes] of monolith.files) scripts.set(MONOLITH_PATH + name, brotliCompressSync(bytes));
  let asked: string[] = [];

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    asked.push(path);
    const script = scripts.get(path);
    const variant = /variant=(\w+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? 'site';
    if (script) {
      response.writeHead(200, {
        'Content-Type': 'text/javascript',
        'Content-Encoding': 'br',
        'Cache-Control': 'public, max-age=31536000, immutable',
      });
      response.end(script);
    } else if (variant !== 'site' && incoming.headers['sec-fetch-dest'] === 'document') {
      const key = `${variant} ${path}`;
      const kept = documents.get(key) ?? changed(path, variant as Variant);
      documents.set(key, kept);
      // Requests the edge nevertheless: its response time and its CPU usage count for every variant.
      Promise.all([kept, ask(path)]).then(
        ([{ status, headers, body }]) => {
          response.writeHead(status, headers);
          response.end(body);
        },
        () => response.destroy(),
      );
    } else pass(incoming, response);
  });

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const outgoing = request(new URL(path ?? '/', site), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }

  async function ask(path: string): Promise<{ answer: Response; html: string }> {
    const answer = await fetch(new URL(path, site));
    return { answer, html: await answer.text() };
  }

  async function changed(path: string, variant: Variant): Promise<Kept> {
    const { answer, html } = await ask(path);
    const body = variant === 'static' ? withoutScripts(html) : withMonolith(html, path);
    return {
      status: answer.status,
      headers: { ...keptHeaders(answer, variant), 'content-encoding': 'br' },
      body: await compressBrotli(Buffer.from(body)),
    };
  }

  function withMonolith(html: string, path: string): string {
    const chunks = monolith.chunks.get(new URL(path, site).pathname) ?? [];
    const preloads = chunks.map((name) => `<link rel="preload" as="script" href="${MONOLITH_PATH}${name}">`);
    const bare = html.replace(preloadedScript, '').replace(outerScript, '');
    return bare.replace(
      '</head>',
      `${preloads.join('')}<script defer src="${MONOLITH_PATH}${monolith.entry}"></script></head>`,
    );
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked() {
      const paths = asked;
      asked = [];
      return paths;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The site's own headers, except those about the bytes or the connection. Headers affect the timing: a page with
 * `Cross-Origin-Opener-Policy` gets a new browsing context group. The monolith has no script policies, because its
 * scripts have no integrity hashes and use no Trusted Types.
 */
function keptHeaders(answer: Response, variant: Variant): Record<string, string> {
  const left = [
    'content-encoding',
    'content-length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'etag',
    'vary',
  ];
  if (variant === 'monolith') left.push('content-security-policy', 'integrity-policy');
  return Object.fromEntries([...answer.headers].filter(([name]) => !left.includes(name)));
}

const preloadedScript = /<link rel="(?:preload|modulepreload)"[^>]*as="script"[^>]*>/g;
const outerScript = /<script\b[^>]*\bsrc=[^>]*><\/script>/g;

/** Removes the unused boot data as well. */
function withoutScripts(html: string): string {
  return html.replace(preloadedScript, '').replace(/<script\b[\s\S]*?<\/script>/g, '');
}
