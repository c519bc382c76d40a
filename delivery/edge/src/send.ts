import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body } from './body.ts';
import { chooseEncoding, etagOf, matchesEtag } from './negotiate.ts';
import { nothingAllowed, securityHeaders } from './security-headers.ts';

export interface Reply {
  status: number;
  body: Body;
  headers: Record<string, string>;
  /** Whether the client may ask "has it changed?". */
  revalidates?: boolean;
}

/** Sends a reply: in the best encoding, as 304 when the client has it already, without body for HEAD. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers, revalidates = false }: Reply,
): number {
  const isEncoded = body.br !== null || body.gzip !== null;
  const encoding = chooseEncoding(request.headers['accept-encoding'], body);
  const etag = etagOf(body, encoding);
  const common = {
    ...securityHeaders,
    'Content-Security-Policy': nothingAllowed,
    ...headers,
    ...(isEncoded ? { Vary: 'Accept-Encoding' } : {}),
    ...(revalidates ? { ETag: etag } : {}),
  };
  if (revalidates && status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, common).end();
    return 304;
  }
  const bytes = body[encoding] ?? body.identity;
  response.writeHead(status, {
    ...common,
    'Content-Length': bytes.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
  return status;
}
