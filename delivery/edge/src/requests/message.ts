import type { Encoding } from '@site/server/encoded-body';
import { chooseEncoding, bodyEtag, matchesEtag } from '@site/server/negotiate';
import { sentHeaders } from './headers.ts';
import type { Headers, Message, Reply } from './reply.ts';

export interface RequestConditions {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
}

export function messageFor({ method, headers }: RequestConditions, reply: Reply): Message {
  const { status, body, revalidates = false } = reply;
  const isGet = method === 'GET';
  if (isGet && !headers['range'] && !headers['if-none-match']) {
    return wholeMessage(reply, chooseEncoding(single(headers['accept-encoding']), body));
  }
  const plainTag = bodyEtag(body, 'identity');
  // Ranges apply to the identity encoding: a range of compressed bytes is useless to clients.
  const range =
    reply.hasRanges && isGet && headers['range'] && allowsRange(single(headers['if-range']), plainTag)
      ? readRange(single(headers['range']), body.identity.length)
      : null;
  const encoding: Encoding = range ? 'identity' : chooseEncoding(single(headers['accept-encoding']), body);
  const etag = bodyEtag(body, encoding);
  const message = (sent: number, more: Headers, bytes: Buffer | null): Message => ({
    status: sent,
    headers: { ...sentHeaders(reply, sent, etag), ...more },
    bytes,
  });

  if (revalidates && status === 200 && matchesEtag(single(headers['if-none-match']), etag))
    return message(304, {}, null);
  if (range === 'unsatisfiable')
    return message(416, { 'Content-Range': `bytes */${body.identity.length}`, 'Content-Length': '0' }, null);
  if (range) {
    const part = body.identity.subarray(range.start, range.end + 1);
    const contentRange = `bytes ${range.start}-${range.end}/${body.identity.length}`;
    return message(206, { 'Content-Range': contentRange, 'Content-Length': String(part.length) }, part);
  }
  const whole = wholeMessage(reply, encoding);
  return method === 'HEAD' ? { ...whole, bytes: null } : whole;
}

/** Nearly every response is one of these, so shared replies build theirs once. */
function wholeMessage(reply: Reply, encoding: Encoding): Message {
  const known = reply.sent?.get(encoding);
  if (known) return known;
  const { status, body } = reply;
  const bytes = body[encoding] ?? body.identity;
  const headers = {
    ...sentHeaders(reply, status, bodyEtag(body, encoding)),
    'Content-Length': String(bytes.length),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  };
  const message = { status, headers, bytes };
  reply.sent?.set(encoding, message);
  return message;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * RFC 9110, 14.2. Null to send the whole file: no range, a malformed one, another unit, or multiple ranges (which a
 * server may ignore). `unsatisfiable` if the range contains no byte of the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** `If-Range` must match the representation's etag exactly (RFC 9110, 13.1.5). */
export function allowsRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
