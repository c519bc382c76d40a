import type { Body } from './body.ts';
import { allowsRange, readRange } from './byte-range.ts';
import type { EdgeRequest, EdgeResponse } from './listen.ts';
import { chooseEncoding, etagOf, matchesEtag } from './negotiate.ts';
import { nothingAllowed, securityHeaders } from './security-headers.ts';

export interface Reply {
  status: number;
  body: Body;
  headers: Record<string, string | string[]>;
  /** Whether the client may ask "has it changed?". */
  revalidates?: boolean;
  /** Whether the client may ask for a part of it. */
  hasRanges?: boolean;
  /** What a browser will need next, as `Link` header values. */
  links?: string[];
}

/** What was sent: the status, and the bytes of the body. */
export interface Sent {
  status: number;
  bytes: number;
}

/**
 * Sends a reply: in the best encoding, as 304 when the client has it already, as 206 when it wants a part.
 *
 * @param hintsOverHttp1 whether a 103 may be sent over HTTP/1.1, too.
 */
export function send(
  request: EdgeRequest,
  response: EdgeResponse,
  reply: Reply,
  hintsOverHttp1: boolean,
): Sent {
  const { status, body, headers, revalidates = false, links = [] } = reply;
  const isGet = request.method === 'GET';
  const isEncoded = body.br !== null || body.gzip !== null;
  const plainTag = etagOf(body, 'identity');
  // Parts are of the file as it is: bytes of a compressed copy are of no use to whoever asks for a part.
  const range =
    reply.hasRanges && isGet && request.headers.range && allowsRange(header(request, 'if-range'), plainTag)
      ? readRange(request.headers.range, body.identity.length)
      : null;
  const encoding = range ? 'identity' : chooseEncoding(header(request, 'accept-encoding'), body);
  const etag = etagOf(body, encoding);
  const headersFor = (sentStatus: number) => ({
    ...securityHeaders,
    'Content-Security-Policy': nothingAllowed,
    ...headers,
    'Cache-Control': cacheControl(sentStatus, headers['Cache-Control']),
    ...varyOf(headers['Vary'], isEncoded),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
    ...(reply.hasRanges ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(revalidates && isKept(sentStatus) ? { ETag: etag } : {}),
  });
  if (revalidates && status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headersFor(304));
    response.end();
    return { status: 304, bytes: 0 };
  }
  if (range === 'unsatisfiable') {
    response.writeHead(416, {
      ...headersFor(416),
      'Content-Range': `bytes */${body.identity.length}`,
      'Content-Length': 0,
    });
    response.end();
    return { status: 416, bytes: 0 };
  }
  if (range) {
    const part = body.identity.subarray(range.start, range.end + 1);
    response.writeHead(206, {
      ...headersFor(206),
      'Content-Range': `bytes ${range.start}-${range.end}/${body.identity.length}`,
      'Content-Length': part.length,
    });
    response.end(part);
    return { status: 206, bytes: part.length };
  }
  if (links.length > 0 && isGet && takesHints(request, hintsOverHttp1))
    response.writeEarlyHints({ link: links });
  const bytes = body[encoding] ?? body.identity;
  response.writeHead(status, {
    ...headersFor(status),
    'Content-Length': bytes.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return { status, bytes: 0 };
  }
  response.end(bytes);
  return { status, bytes: bytes.length };
}

/** Whether an answer holds what was asked for, which alone may be kept as its reply says. */
function isKept(status: number): boolean {
  return status === 200 || status === 206 || status === 304;
}

/**
 * How long an answer may be kept follows from its status first: what is not the thing itself is never kept, whatever it
 * was made from, and what does not say that it may be kept is not.
 */
export function cacheControl(status: number, declared: string | string[] | undefined): string {
  const wanted = [declared ?? []].flat().join(', ');
  if (isKept(status)) return wanted || 'no-store';
  const isRedirect = status >= 300 && status < 400;
  return isRedirect && /^(no-cache|private, no-store)$/.test(wanted) ? wanted : 'no-store';
}

/**
 * Whether a 103 may precede the answer: some clients take it for the answer itself. A browser that opens a page says so,
 * but only over HTTP/2 it says so to us: over HTTP/1.1 a proxy may have passed it on that does not know the 103 (nginx
 * before 1.29), and HTTP/1.0 has none at all (RFC 9110, 15.2).
 *
 * @see https://www.rfc-editor.org/rfc/rfc8297
 */
function takesHints({ headers, httpVersionMajor, httpVersion }: EdgeRequest, overHttp1: boolean): boolean {
  if (headers['sec-fetch-mode'] !== 'navigate') return false;
  return httpVersionMajor === 2 || (overHttp1 && httpVersion === '1.1');
}

function varyOf(declared: string | string[] | undefined, isEncoded: boolean): { Vary?: string } {
  const names = [isEncoded ? 'Accept-Encoding' : null, declared ?? null].filter((name) => name !== null);
  return names.length > 0 ? { Vary: names.flat().join(', ') } : {};
}

function header(request: EdgeRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
