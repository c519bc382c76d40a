export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  readonly traceId: string;
  /** For the header of the same name (W3C Trace Context). */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  end(): void;
}

export interface SpanOptions {
  name: string;
  kind?: 'internal' | 'server' | 'client';
  attributes?: SpanAttributes;
  /** A traceparent. Default: the current span. */
  parent?: string | undefined;
  /** Fixes the span's ids to those of this traceparent. */
  identity?: string;
  /** A traceparent. */
  link?: string | undefined;
  /** Milliseconds since 1970. */
  startTime?: number;
  /** Recorded whatever the ratio, also without a parent. */
  isRare?: boolean;
}

export interface Tracer {
  start(options: SpanOptions): Span;
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Of `OTEL_EXPORTER_OTLP_ENDPOINT`; the exporter reads its other variables itself. */
  endpoint: string | undefined;
  service: string;
  instance?: string;
  /** Recorded share of requests, from 0 to 1. Default: all. */
  ratio?: number;
  /** Whether callers decide which of their requests are recorded. Visitors must not. */
  trustsCallers?: boolean;
}

/** @returns null for a missing or invalid one. */
export function parseTraceparent(header: string | undefined): { traceId: string; spanId: string } | null {
  const [, traceId, spanId] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/.exec(header ?? '') ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
