import { ROOT_CONTEXT, SpanKind, trace, type Context, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { parseTraceparent, type Tracer, type TracingOptions } from './tracer.ts';

/** Loaded by `startTracing` only. */

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const SENT_AFTER_MS = 1_000;
/** With retries: the end of a process waits for it. */
const GIVEN_UP_AFTER_MS = 2_000;

export function createTracer({ service, instance }: TracingOptions): Tracer {
  const random = new RandomIdGenerator();
  let identity: SpanContext | null = null;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? `site-${service}`,
      ...(instance === undefined ? {} : { 'service.instance.id': instance }),
    }),
    idGenerator: {
      generateTraceId: () => identity?.traceId ?? random.generateTraceId(),
      generateSpanId: () => identity?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: GIVEN_UP_AFTER_MS }), {
        scheduledDelayMillis: SENT_AFTER_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('site');
  return {
    start({ name, kind = 'internal', attributes = {}, parent, identity: fixed, link, startTime }) {
      const linked = spanContext(link);
      identity = spanContext(fixed);
      try {
        const span = tracer.startSpan(
          name,
          {
            kind: KINDS[kind],
            attributes,
            ...(linked ? { links: [{ context: linked }] } : {}),
            ...(startTime === undefined ? {} : { startTime }),
          },
          identity ? ROOT_CONTEXT : withParent(spanContext(parent)),
        );
        const { traceId, spanId } = span.spanContext();
        return {
          traceId,
          traceparent: `00-${traceId}-${spanId}-01`,
          set: (added) => void span.setAttributes(added),
          end: () => span.end(),
        };
      } finally {
        identity = null;
      }
    },
    // Without a receiver the spans are lost.
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

function spanContext(header: string | undefined): SpanContext | null {
  const parsed = parseTraceparent(header);
  return parsed && { ...parsed, traceFlags: 1, isRemote: true };
}

const withParent = (parent: SpanContext | null): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
