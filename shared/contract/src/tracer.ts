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
  /** Recorded whatever the ratio. */
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
  /** Share of traces that are recorded, from 0 to 1. Default: all. */
  ratio?: number;
  /** Whether callers decide if their traces are recorded. Visitors must not. */
  trustsCallers?: boolean;
}
