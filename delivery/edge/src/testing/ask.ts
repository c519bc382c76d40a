import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Told {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

/** Sends a request with exactly this target (`fetch` would normalize it) and reads the whole response. */
export async function ask(
  url: string,
  target: string,
  {
    method = 'GET',
    headers = {},
    body: sentBody,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Told> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path: target, method, headers, agent: false });
  sent.end(sentBody);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return { status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString('utf8') };
}
