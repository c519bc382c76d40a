import type { EdgeRequest, EdgeResponse } from '../server/listen.ts';
import { messageFor } from './message.ts';
import { sharedLifetime } from './headers.ts';
import type { Reply } from './reply.ts';

export interface SentReply {
  status: number;
  bytes: number;
}

/** The last step of a request. @param hintsOverHttp1 whether a 103 may be sent over HTTP/1.1. */
export function send(
  request: EdgeRequest,
  response: EdgeResponse,
  reply: Reply,
  { requestId, hintsOverHttp1, isPurged }: { requestId: string; hintsOverHttp1: boolean; isPurged: boolean },
): SentReply {
  const { links = [] } = reply;
  const { status, headers, bytes } = messageFor(request, reply);
  const isWhole = status === reply.status && request.method === 'GET';
  if (links.length > 0 && isWhole && supportsHints(request, hintsOverHttp1))
    response.writeEarlyHints({ link: links });
  response.writeHead(status, {
    ...headers,
    ...sharedLifetime(status, headers, isPurged),
    'X-Request-Id': requestId,
  });
  if (bytes) response.end(bytes);
  else response.end();
  return { status, bytes: bytes?.length ?? 0 };
}

/**
 * Some clients mistake a 103 for the final response. Browsers' navigations are identifiable, but reliably only over
 * HTTP/2: over HTTP/1.1, the request may come from a proxy that does not support 103 (nginx before 1.29), and
 * HTTP/1.0 has no 1xx at all (RFC 9110, 15.2). @see https://www.rfc-editor.org/rfc/rfc8297
 */
function supportsHints({ headers, httpVersionMajor, httpVersion }: EdgeRequest, overHttp1: boolean): boolean {
  if (headers['sec-fetch-mode'] !== 'navigate') return false;
  return httpVersionMajor === 2 || (overHttp1 && httpVersion === '1.1');
}
