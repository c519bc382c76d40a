import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureServer, type IncomingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Site } from './site.ts';

export interface LoggingProxy {
  url: string;
  keyHash: string;
  paths(): string[];
  /** Paths that were requested again before their first response had ended. */
  overlaps(): string[];
  forget(): void;
  /** Holds the responses to these paths until `release`, or until all of them are requested. */
  hold(paths: string[], until: 'released' | 'all requested'): { release(): void };
  close(): Promise<void>;
}

/**
 * A proxy over TLS and HTTP/2 in front of a site that was started with `https`. @param latencyMs the delay of each
 * response.
 */
export async function startLoggingProxy(
  { port, dataDir }: Pick<Site, 'port' | 'dataDir'>,
  latencyMs = 0,
): Promise<LoggingProxy> {
  const certificate = JSON.parse(await readFile(join(dataDir, 'localhost.pem.json'), 'utf8')) as {
    cert: string;
    key: string;
  };
  let log: string[] = [];
  let overlaps: string[] = [];
  const inFlight = new Set<string>();
  let holds: { paths: Set<string>; missing: Set<string>; released: Promise<void>; release(): void }[] = [];

  const server = createSecureServer(certificate, (incoming, response) => {
    const { method, url: path } = incoming;
    log.push(path);
    if (inFlight.has(path)) overlaps.push(path);
    inFlight.add(path);
    response.once('close', () => inFlight.delete(path));
    const held = holds.filter(({ paths }) => paths.has(path));
    for (const hold of held) {
      hold.missing.delete(path);
      if (hold.missing.size === 0) hold.release();
    }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: forwarded(incoming.headers, { host: `localhost:${port}` }),
        rejectUnauthorized: false,
      },
      (answer) => {
        void Promise.all([delay(latencyMs), ...held.map(({ released }) => released)]).then(() => {
          if (response.writableEnded || response.stream.destroyed) return;
          response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
          answer.pipe(response);
        });
      },
    );
    outgoing.on('error', () => response.end());
    incoming.pipe(outgoing);
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('connection', (socket: { destroy(): void }) => sessions.add(socket));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));

  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    keyHash: createHash('sha256')
      .update(new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
    paths: () => log,
    overlaps: () => overlaps,
    forget() {
      log = [];
      overlaps = [];
      for (const { release } of holds) release();
      holds = [];
    },
    hold(paths, until) {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const missing = new Set(until === 'released' ? ['never requested'] : paths);
      holds.push({ paths: new Set(paths), missing, released, release });
      return { release };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

/** Removes connection headers, which HTTP/2 forbids. */
function forwarded(headers: IncomingHttpHeaders, own: IncomingHttpHeaders = {}): IncomingHttpHeaders {
  return {
    ...Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => !/^(:.*|connection|keep-alive|transfer-encoding|host|upgrade)$/.test(name),
      ),
    ),
    ...own,
  };
}

const delay = (ms: number) => (ms === 0 ? null : new Promise((resolve) => setTimeout(resolve, ms)));
