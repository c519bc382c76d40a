import { ServerResponse, STATUS_CODES, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Http2ServerResponse, type Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';

const UNKEPT = 'no-store';

/**
 * Responses that are not cacheable by default. For a server's option `ServerResponse`: Node and Fastify
 * reject some requests without hooks (no host, an expectation, a closing server).
 */
export class NoStoreResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  // Not set from the start: once a response has a header, Node validates and stores all headers one by one.
  override writeHead(...given: unknown[]): this {
    const headers = given.at(-1);
    if (!this.hasHeader(CACHE_CONTROL) && !definesCaching(headers)) this.setHeader(CACHE_CONTROL, UNKEPT);
    return super.writeHead(...(given as [number, OutgoingHttpHeaders]));
  }
}

const CACHE_CONTROL = 'cache-control';

function definesCaching(headers: unknown): boolean {
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

export type BrokenStatus = 400 | 408 | 431;

/** Null for other faults: a broken connection or failed handshake gets no response. */
function brokenStatus(code = ''): BrokenStatus | null {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code.startsWith('HPE_') ? 400 : null;
}

/**
 * With responses to oversized headers: cookies that any script of the site can plant would otherwise lock visitors out
 * until they expire. @see https://w3c.github.io/webappsec-clear-site-data/
 */
export const FORGET_COOKIES = '"cookies"';

/**
 * How long a rejected client may still send. Closing earlier resets the connection, and browsers then show their own
 * error instead of the response, and keep the cookies.
 */
const DISCARD_MS = 2_000;
const rejected = new WeakSet<Socket>();

/**
 * Responds to invalid HTTP requests on the bare socket, for a server's event `clientError`, because Node's
 * own response is cacheable.
 */
export function refuseBroken(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Socket,
  describe: (status: BrokenStatus) => { type: string; body: string },
): void {
  if (rejected.has(socket)) return;
  // A second response in the middle of an active one would be read as part of it.
  const { _httpMessage: underWay } = socket as { _httpMessage?: ServerResponse };
  const status = brokenStatus(error.code);
  if (status === null || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const { type, body } = describe(status);
  const forgets = status === 431 && !hasLongAddress(error.rawPacket);
  rejected.add(socket);
  setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncache-control: ${UNKEPT}\r\n` +
      (forgets ? `clear-site-data: ${FORGET_COOKIES}\r\n` : '') +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const LONG_ADDRESS = 4_096;

/** Whether the address, not the cookies, makes the headers too large. */
export const isLongAddress = (address: string): boolean => address.length > LONG_ADDRESS;

/** Browsers limit each cookie to 4 KB and separate cookies by spaces, which addresses cannot contain. */
const LONG_COOKIE = 4_200;

/**
 * Whether the address is the oversized part: other sites can link to any address, and must not be able to remove
 * cookies. @param packet the part of the request that exceeded the limit.
 */
function hasLongAddress(packet?: Buffer): boolean {
  const text = packet?.toString('latin1') ?? '';
  const [, address = ''] = /^[A-Z]+ (\S+)/.exec(text) ?? [];
  if (address !== '') return isLongAddress(address);
  const [first = ''] = /^\S*/.exec(text) ?? [];
  return first.length > LONG_COOKIE || text.startsWith(' HTTP/1.', first.length);
}
