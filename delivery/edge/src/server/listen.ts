import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { countRequests, countServerRequests, stopAccepting } from '@site/server/count-requests';
import { listenAddresses, listenAtOtherAddresses, refuseOtherHosts } from '@site/contract/loopback';
import { portError } from '@site/server/start-server';
import {
  FORGET_COOKIES,
  isLongAddress,
  refuseBroken,
  UnkeptHttp2Response,
  NoStoreResponse,
} from '@site/server/no-store';

export type EdgeRequest = IncomingMessage | Http2ServerRequest;
export type EdgeResponse = (ServerResponse | Http2ServerResponse) & {
  writeHead(status: number, headers: Record<string, string | string[] | number>): unknown;
  end(body?: Buffer): unknown;
  writeEarlyHints(hints: { link: string[] }): unknown;
};

/** PEM texts. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface EdgeServerOptions {
  /** With it: HTTP/2 over TLS, with HTTP/1.1 as a fallback. Without: HTTP/1.1 for a proxy. */
  certificate?: Certificate | undefined;
  /** Further connections are closed. */
  maxConnections: number;
  /** Also the timeout of a connection between two requests. */
  idleMs: number;
  settings?: { port: string; host: string };
  /** For tests. */
  patience?: typeof PATIENCE & { keepAliveTimeout?: number };
  headersTooLarge?: string;
  /** Answer only requests for this machine and these hosts: see `refuseOtherHosts`. */
  onlyHosts?: readonly string[] | undefined;
  onRequest(request: EdgeRequest, response: EdgeResponse): void;
  onDrop(): void;
}

export interface EdgeServer {
  /** @throws PortError if it cannot listen there. */
  listen(address: {
    port: number;
    host?: string | undefined;
    /** A socket that already listens, instead of both. */
    fd?: number;
  }): Promise<{ port: number; url: string }>;
  connections(): number;
  close(withinMs: number): Promise<void>;
}

/** Timeouts for sending clients: no visitor's request needs more than a few lines. */
const PATIENCE = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  /** How often Node checks timeouts: with its default of 30 s, 10 s can become 40 s. */
  connectionsCheckingInterval: 2_000,
};
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * HTTP/2 accepts more than it handles, because it would otherwise reset the stream without a response that removes the
 * cookies. Browsers store up to 180 cookies of 4 KB for a site.
 */
const HTTP2_HEADERS = { bytes: 1024 * 1024, pairs: 1_000 };

export function createEdgeServer(options: EdgeServerOptions): EdgeServer {
  const { certificate, onRequest, headersTooLarge = '' } = options;
  const limits = {
    keepAliveTimeout: options.idleMs,
    ...(options.patience ?? PATIENCE),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const open = new Set<Socket>();
  const listener = (request: EdgeRequest, response: EdgeResponse) => {
    if (request.httpVersionMajor === 1 || headerBytes(request) <= MAX_HEADER_BYTES)
      return onRequest(request, response);
    request.resume();
    response.writeHead(431, {
      'content-type': HTML,
      'cache-control': 'no-store',
      ...(isLongAddress(request.url ?? '') ? {} : { 'clear-site-data': FORGET_COOKIES }),
    });
    response.end(Buffer.from(headersTooLarge));
  };
  const { server, requests, drain } = certificate
    ? secureServer(certificate, limits, listener)
    : plainServer(limits, listener);
  if (options.onlyHosts) refuseOtherHosts(server, options.onlyHosts);
  server.maxConnections = options.maxConnections;
  server.setTimeout(options.idleMs);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('drop', options.onDrop);
  server.on('clientError', (error: Error, socket: Socket) =>
    refuseBroken(error, socket, (status) =>
      status === 431
        ? { type: HTML, body: headersTooLarge }
        : { type: 'text/plain; charset=utf-8', body: '' },
    ),
  );

  let others: { close(): Promise<void> } | undefined;

  return {
    connections: () => open.size,
    async listen({ port, host, fd }) {
      try {
        if (fd === undefined) server.listen({ port, host: host && listenAddresses(host)[0] });
        else server.listen({ fd });
        await once(server, 'listening');
        if (fd === undefined) others = await listenAtOtherAddresses(server, { port, host: host ?? '' });
      } catch (cause) {
        if (server.listening) server.close();
        throw portError(cause, { port, host: host ?? '' }, options.settings);
      }
      const { port: actual } = server.address() as AddressInfo;
      const name = host && host !== '0.0.0.0' && host !== '::' ? host : 'localhost';
      return { port: actual, url: `${certificate ? 'https' : 'http'}://${name}:${actual}` };
    },
    async close(withinMs) {
      const closed = once(server, 'close');
      stopAccepting(server);
      const othersClosed = others?.close();
      await requests.untilFirstRequests();
      drain();
      const cut = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, withinMs);
      await Promise.all([closed, othersClosed]);
      clearTimeout(cut);
    },
  };
}

const HTML = 'text/html; charset=utf-8';

function headerBytes({ rawHeaders }: EdgeRequest): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, 0);
}

type Listener = (request: EdgeRequest, response: EdgeResponse) => void;
type ConnectionLimits = typeof PATIENCE & { keepAliveTimeout: number; maxHeaderSize: number };

function plainServer(limits: ConnectionLimits, listener: Listener) {
  const server = createServer(
    { ...limits, ServerResponse: NoStoreResponse },
    listener as Parameters<typeof createServer>[1] & Listener,
  );
  const requests = countServerRequests(server);
  return { server, requests, drain: requests.drain };
}

function secureServer({ cert, key }: Certificate, limits: ConnectionLimits, listener: Listener) {
  const options: SecureServerOptions & ConnectionLimits = {
    ...limits,
    http1Options: { ServerResponse: NoStoreResponse },
    Http2ServerResponse: UnkeptHttp2Response,
    cert,
    key,
    allowHTTP1: true,
    // One visitor needs a few dozen files at a time; a thousand streams are abuse.
    settings: { maxConcurrentStreams: 128, maxHeaderListSize: HTTP2_HEADERS.bytes },
    maxHeaderListPairs: HTTP2_HEADERS.pairs,
    // Streams that are opened and reset cost the server much and the client little (CVE-2023-44487).
    streamResetBurst: 200,
    streamResetRate: 20,
    handshakeTimeout: limits.headersTimeout,
    unknownProtocolTimeout: limits.headersTimeout,
  };
  const server = createSecureServer(options, listener as Parameters<typeof createSecureServer>[1] & Listener);
  /** By remote address and port: the only identity that both kinds of socket share. */
  const greeting = new Map<string, Socket>();
  const sessions = new Set<ServerHttp2Session>();
  /** For HTTP/1.1 over TLS. */
  const requests = countRequests();

  server.on('connection', (socket: Socket) => {
    const peer = peerKey(socket);
    greeting.set(peer, socket);
    socket.once('close', () => {
      if (greeting.get(peer) === socket) greeting.delete(peer);
    });
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // A broken connection is not a server error, and closes itself.
    session.on('error', () => undefined);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    greeting.delete(peerKey(socket));
    if (socket.alpnProtocol === 'h2') return;
    requests.add(socket);
  });
  server.on('request', ({ socket, httpVersionMajor }, response) => {
    if (httpVersionMajor === 1) requests.began(socket, response);
  });
  return {
    server,
    requests,
    drain() {
      for (const socket of greeting.values()) socket.destroy();
      for (const session of sessions) session.close();
      requests.drain();
    },
  };
}

function peerKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
