import { ROOT_CONTEXT, SpanKind, trace, type Context, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Tracer, TracingOptions } from './tracer.ts';

/** Loaded by `startTracing` only. */

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const SENT_AFTER_MS = 1_000;
/** With retries: the end of a process waits for it. */
const GIVEN_UP_AFTER_MS = 2_000;

export function createTracer({
  service,
  instance,
  ratio = 1,
  trustsCallers = false,
}: TracingOptions): Tracer {
  const random = new RandomIdGenerator();
  let identity: SpanContext | null = null;
  let isRare = false;
  const root = new TraceIdRatioBasedSampler(ratio);
  const sampler = trustsCallers
    ? new ParentBasedSampler({ root })
    : new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? `site-${service}`,
      ...(instance === undefined ? {} : { 'service.instance.id': instance }),
    }),
    sampler: {
      shouldSample: (...span) =>
        isRare ? { decision: SamplingDecision.RECORD_AND_SAMPLED } : sampler.shouldSample(...span),
      toString: () => `site(${String(sampler)})`,
    },
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
    start({ name, kind = 'internal', attributes = {}, parent, identity: fixed, link, startTime, ...more }) {
      const linked = parseTraceparent(link);
      identity = parseTraceparent(fixed);
      isRare = more.isRare ?? false;
      try {
        const span = tracer.startSpan(
          name,
          {
            kind: KINDS[kind],
            attributes,
            ...(linked ? { links: [{ context: linked }] } : {}),
            ...(startTime === undefined ? {} : { startTime }),
          },
          identity ? ROOT_CONTEXT : withParent(parseTraceparent(parent)),
        );
        const { traceId, spanId, traceFlags } = span.spanContext();
        return {
          traceId,
          traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
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

const withParent = (parent: SpanContext | null): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;

/** @returns null for a missing or invalid one: the trace starts here. */
function parseTraceparent(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, traceFlags: parseInt(flags ?? '', 16) & 1, isRemote: true };
}
