import * as v from 'valibot';
import {
  ChannelAnswerSchema,
  ChannelStateSchema,
  jsonText,
  wholeNumberOf,
  type ChannelState,
  type Preview,
  type ReleaseDocument,
} from '@site/contract';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { readAnswer, requestTo, type SentTo } from '@site/contract/registry-calls/client';
import { edgeCalls, type HeartbeatAnswer } from '@site/contract/registry-calls/edge.calls';
import { previewCalls } from '@site/contract/registry-calls/preview.calls';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import { KNOWN_RELEASE, releaseCalls } from '@site/contract/registry-calls/release.calls';
import { versionCalls } from '@site/contract/registry-calls/version.calls';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import { tolerant } from '@site/contract/schema-tools';
import { withTrailingSlash } from '@site/contract/urls';
import { completed } from './complete-document.ts';
import type { Serving } from './heartbeat.ts';
import { readServerSentEvents } from './server-sent-events.ts';

/** Statuses of requests that may succeed later: a token can be recreated, and a rate limit ends. */
const PASSING = [401, 403, 408, 429];

/** The registry did not respond, or responded with an error or an unexpected body. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  /** The response status; 0 without a response. */
  readonly status: number;
  /** Whether the request was understood and every retry will be rejected. */
  readonly isRefusal: boolean;

  constructor(message: string, { status = 0, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = status;
    this.isRefusal = status >= 400 && status < 500 && !PASSING.includes(status);
  }
}

/** A channel's state as received from the registry. */
export interface HeardState {
  state: ChannelState;
  /** The larger number is the newer state. Null from a registry without revisions. */
  revision: number | null;
}

/** The registry's API for edges. */
export interface EdgeClient {
  channelState(channel: string, signal: AbortSignal): Promise<HeardState>;
  /** The channel's state immediately and after every change, until the connection ends. */
  channelEvents(channel: string, signal: AbortSignal): AsyncIterable<HeardState>;
  /** @param known the local document; the response omits what it contains. */
  releaseDocument(id: string, known: ReleaseDocument | null, signal: AbortSignal): Promise<ReleaseDocument>;
  /** Reports the served releases. */
  heartbeat(edge: string, serving: Serving, signal: AbortSignal): Promise<HeartbeatAnswer>;
  /** Sends aggregated browser signals; the registry deduplicates batches. */
  signals(edge: string, sums: EdgeSums, signal: AbortSignal): Promise<void>;
  /** Deregisters a stopped edge, so that activations do not wait for it. */
  goodbye(edge: string): Promise<void>;
  /** An active preview by the hash of its link's id; 'invalid' if unknown, 'over' if ended. */
  preview(hash: string, signal: AbortSignal): Promise<Preview | 'invalid' | 'over'>;
  /** The live release with the preview's version, while the preview is active. */
  previewDocument(hash: string, signal: AbortSignal): Promise<ReleaseDocument | 'invalid' | 'over'>;
  /** The hash of any published file, or null if there is no such file. */
  assetIntegrity(app: string, path: string, signal: AbortSignal): Promise<string | null>;
}

const NO_CONTENT = 204;
const TIMEOUT_MS = 10_000;
/** The registry sends a comment every 15 s, so a stream without one is a connection that no longer exists. */
const SILENT_MS = 40_000;
/** Delays the shutdown of an edge. */
const GOODBYE_TIMEOUT_MS = 1_000;

/** @throws RegistryError from every method if the registry is unreachable or responds unexpectedly. */
export function createEdgeClient(
  registryUrl: string,
  token: string,
  { silentMs = SILENT_MS }: { silentMs?: number } = {},
): EdgeClient {
  const base = withTrailingSlash(registryUrl);

  /** @param tolerated statuses that are not errors. */
  async function request<C extends Call>(
    call: C,
    sent: SentTo<C>,
    signal: AbortSignal,
    tolerated: readonly number[] = [],
  ): Promise<Response> {
    const { path, headers, ...init } = requestTo(call, sent);
    const { href, pathname } = new URL(path, base);
    const response = await fetch(href, {
      ...init,
      redirect: 'error',
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal,
    } as RequestInit).catch((cause: unknown) => {
      throw new RegistryError(`The registry does not answer ${pathname}.`, { cause });
    });
    if (response.ok || tolerated.includes(response.status)) return response;
    const text = await response.text().catch(() => '');
    throw new RegistryError(`The registry answers ${pathname} with ${response.status}: ${reasonIn(text)}`, {
      status: response.status,
    });
  }

  /** @param others return values for statuses other than success. */
  async function ask<C extends Call, Other = never>(
    call: C,
    sent: SentTo<C>,
    signal: AbortSignal,
    others: Readonly<Record<number, Other>> = {},
  ): Promise<AnswerOf<C> | Other> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await request(call, sent, within, Object.keys(others).map(Number));
    // The previous registry version has no body where this one has one.
    if (!response.ok || call.answer === null || response.status === NO_CONTENT) {
      await response.body?.cancel();
      return response.ok ? (undefined as AnswerOf<C>) : (others[response.status] as Other);
    }
    try {
      return readAnswer(call, await response.json());
    } catch (cause) {
      const { path } = requestTo(call, sent);
      throw new RegistryError(`The registry's answer to /${path} is not what it should be.`, { cause });
    }
  }

  const ofPreview = { 404: 'invalid', 410: 'over' } as const;
  return {
    async channelState(channel, signal) {
      const { state, revision } = await ask(shortChannel, { params: { channel } }, signal);
      return { state, revision };
    },

    async *channelEvents(channel, signal) {
      const silence = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const endAfter = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(
          () => silence.abort(new RegistryError(`The registry sent nothing for ${ms} ms.`)),
          ms,
        );
      };
      endAfter(TIMEOUT_MS);
      try {
        const response = await request(
          channelCalls.followChannel,
          { params: { channel } },
          AbortSignal.any([signal, silence.signal]),
        );
        if (!response.body) return;
        endAfter(silentMs);
        const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            endAfter(silentMs);
            controller.enqueue(chunk);
          },
        });
        for await (const { event, data, id } of readServerSentEvents(response.body.pipeThrough(heard))) {
          if (event !== 'state') continue;
          const revision = wholeNumberOf(id, 0, Number.MAX_SAFE_INTEGER);
          yield { state: v.parse(tolerant(ChannelStateSchema), JSON.parse(data)), revision };
        }
      } finally {
        clearTimeout(timer);
      }
    },

    async releaseDocument(id, known, signal) {
      const call = releaseCalls.readReleaseDocument;
      const params = { release: id };
      if (!known) return ask(call, { params }, signal);
      const sent = await ask(call, { params, headers: { [KNOWN_RELEASE]: known.release.id } }, signal);
      // The local release with this id may come from a lost registry: request the complete document.
      return completed(sent, known) ?? ask(call, { params }, signal);
    },

    heartbeat: (edge, serving, signal) =>
      ask(edgeCalls.reportEdge, { params: { edge }, body: serving }, signal),

    async signals(edge, sums, signal) {
      await ask(edgeCalls.reportSignals, { params: { edge }, body: sums }, signal);
    },

    goodbye: (edge) =>
      ask(edgeCalls.leaveEdge, { params: { edge } }, AbortSignal.timeout(GOODBYE_TIMEOUT_MS)),

    preview: (hash, signal) => ask(previewCalls.readPreview, { params: { hash } }, signal, ofPreview),
    previewDocument: (hash, signal) =>
      ask(previewCalls.readPreviewDocument, { params: { hash } }, signal, ofPreview),

    async assetIntegrity(app, path, signal) {
      const found = await ask(versionCalls.findAsset, { params: { app, '*': path } }, signal, { 404: null });
      return found?.integrity ?? null;
    },
  };
}

/** The registry's error message, or the beginning of a foreign response. */
function reasonIn(text: string): string {
  const { success, output } = v.safeParse(jsonText(RefusalSchema), text);
  return success
    ? output.errors.map((error) => `${explain(error)} (${error.code})`).join(' ')
    : text.slice(0, 300);
}

/** An edge needs only the pointers; other fields may have any form. */
const shortChannel = {
  ...channelCalls.readChannel,
  answer: v.pick(ChannelAnswerSchema, ['state', 'revision']),
};
