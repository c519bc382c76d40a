import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedSpan {
  service: string;
  instance: string | undefined;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Otlp {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId'> & {
        parentSpanId?: string;
        links?: ReceivedSpan['links'];
        attributes: Attribute[];
      })[];
    }[];
  }[];
}

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  close(): void;
}

/** An OTLP/HTTP receiver of JSON. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const values = (attributes: Attribute[]) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  const server = createServer((request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    void json(request).then((body) => {
      for (const { resource, scopeSpans } of (body as Otlp).resourceSpans) {
        const process = values(resource.attributes);
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            ...span,
            service: process['service.name'] as string,
            instance: process['service.instance.id'] as string | undefined,
            parentSpanId: span.parentSpanId,
            links: span.links ?? [],
            attributes: values(span.attributes),
          });
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
