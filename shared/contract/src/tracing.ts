import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import {
  parseTraceparent,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracer,
  type TracingOptions,
} from './tracer.ts';

/** Distributed traces. Until `startTracing`, and without an endpoint, nothing is recorded or loaded. */

let tracer: Tracer | null = null;
let ratio = 1;
let trustsCallers = false;
const current = new AsyncLocalStorage<Span>();

/** @throws Error if the packages `@opentelemetry/*` are missing. */
export async function startTracing(options: TracingOptions): Promise<void> {
  if (!options.endpoint) return;
  const { createTracer } = await import('./tracing-sdk.ts');
  tracer = createTracer(options);
  ratio = options.ratio ?? 1;
  trustsCallers = options.trustsCallers ?? false;
}

/** Sends the recorded spans, and records no more. */
export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = null;
  await stopped?.stop();
}

export const isTracing = (): boolean => tracer !== null;

/** End it. Null if it is not recorded: then nothing of it is, at next to no cost. */
export function startSpan(options: SpanOptions): Span | null {
  if (!tracer || !isRecorded(options)) return null;
  return tracer.start({ parent: current.getStore()?.traceparent, ...options });
}

function isRecorded({ kind, parent, isRare }: SpanOptions): boolean {
  if (isRare || (kind !== 'server' && (parent ?? current.getStore()))) return true;
  if (kind !== 'server') return false;
  const caller = parseTraceparent(parent);
  if (caller && trustsCallers) return parent?.endsWith('1') === true;
  // Equal in all processes of a trace.
  return (caller ? parseInt(caller.traceId.slice(24), 16) / 2 ** 32 : Math.random()) < ratio;
}

/** Spans and requests of `work` belong to the span. */
export function inSpan<T>(span: Span | null | undefined, work: () => T): T {
  return span ? current.run(span, work) : work();
}

export async function traced<T>(options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = startSpan(options);
  try {
    return await inSpan(span, work);
  } catch (error) {
    span?.set({ 'error.type': (error as Error).name });
    throw error;
  } finally {
    span?.end();
  }
}

export const setSpanAttributes = (attributes: SpanAttributes): void => current.getStore()?.set(attributes);

export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent;

/** For requests to other processes. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * The span of a release, which starts a trace of its own: every process derives the same ids, so that the spans of the
 * edges join that of the registry.
 */
export function releaseTraceparent(release: { channel: string; id: string; at: string; by: string }): string {
  const { channel, id, at, by } = release;
  const hash = createHash('sha256')
    .update(JSON.stringify([channel, id, at, by]))
    .digest('hex');
  return `00-${hash.slice(0, 32)}-${hash.slice(32, 48)}-01`;
}
