import { ServerResponse, STATUS_CODES, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Http2ServerResponse, type Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';

const UNKEPT = 'no-store';

/**
 * Answers that no cache may keep unless they say so themselves. For the option `ServerResponse` of a server: Node and
 * Fastify refuse some requests without asking anybody (no host, an expectation, a server that closes).
 */
export class UnkeptResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  // Not a header from the start: Node checks and stores all headers of an answer one by one once it has one.
  override writeHead(...given: unknown[]): this {
    const headers = given.at(-1);
    if (!this.hasHeader(CACHE_CONTROL) && !saysHowLong(headers)) this.setHeader(CACHE_CONTROL, UNKEPT);
    return super.writeHead(...(given as [number, OutgoingHttpHeaders]));
  }
}

const CACHE_CONTROL = 'cache-control';

/** Whether headers say already how long an answer may be kept. A list has names and values in turns. */
function saysHowLong(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  const names = Array.isArray(headers) ? headers.filter((_, index) => index % 2 === 0) : Object.keys(headers);
  return names.some((name) => String(name).toLowerCase() === CACHE_CONTROL);
}

/** The same over HTTP/2. */
export class UnkeptHttp2Response<
  Request extends Http2ServerRequest = Http2ServerRequest,
> extends Http2ServerResponse<Request> {
  constructor(...given: ConstructorParameters<typeof Http2ServerResponse<Request>>) {
    super(...given);
    this.setHeader('cache-control', UNKEPT);
  }
}

/** What is wrong with something that never became a request. */
export type BrokenStatus = 400 | 408 | 431;

/** Null for what is not a fault in HTTP: a connection that broke, or a handshake that failed, takes no answer. */
function statusOf(code = ''): BrokenStatus | null {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code.startsWith('HPE_') ? 400 : null;
}

/**
 * Answers, on the bare socket, requests that are not HTTP, for the event `clientError` of a server: Node's own answer does not say that
 * it may not be kept.
 */
export function refuseBroken(
  error: Error & { code?: string },
  socket: Socket,
  describe: (status: BrokenStatus) => { type: string; body: string },
): void {
  // In the middle of an answer, another one would be read as part of it.
  const { _httpMessage: underWay } = socket as { _httpMessage?: ServerResponse };
  const status = statusOf(error.code);
  if (status === null || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const { type, body } = describe(status);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncache-control: ${UNKEPT}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
