import type { EdgeRequest, EdgeResponse } from '../server/listen.ts';
import { messageFor } from './message.ts';
import type { Reply } from './reply.ts';

/** What was sent: the status, and the bytes of the body. */
export interface SentReply {
  status: number;
  bytes: number;
}

/**
 * The last step of a request: sends its reply.
 *
 * @param hintsOverHttp1 whether a 103 may be sent over HTTP/1.1, too.
 */
export function send(
  request: EdgeRequest,
  response: EdgeResponse,
  reply: Reply,
  hintsOverHttp1: boolean,
): SentReply {
  const { links = [] } = reply;
  const { status, headers, bytes } = messageFor(request, reply);
  const isWhole = status === reply.status && request.method === 'GET';
  if (links.length > 0 && isWhole && takesHints(request, hintsOverHttp1))
    response.writeEarlyHints({ link: links });
  response.writeHead(status, headers);
  if (bytes) response.end(bytes);
  else response.end();
  return { status, bytes: bytes?.length ?? 0 };
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
