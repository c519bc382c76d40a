import { EventSourceParserStream } from 'eventsource-parser/stream';
import * as v from 'valibot';
import {
  ChannelAnswerSchema,
  ChannelStateSchema,
  jsonText,
  readWholeNumber,
  type ChannelState,
  type Preview,
  type ReleaseDocument,
  type SentReleaseDocument,
} from '@site/contract';
import { proxyHint } from '@site/contract/env-proxy';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { readAnswer, requestTo, type SentTo } from '@site/contract/registry-calls/client';
import { edgeCalls, type HeartbeatAnswer } from '@site/contract/registry-calls/edge.calls';
import { previewCalls } from '@site/contract/registry-calls/preview.calls';
import { KNOWN_RELEASE, releaseCalls } from '@site/contract/registry-calls/release.calls';
import { versionCalls } from '@site/contract/registry-calls/version.calls';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import { traceHeaders } from '@site/contract/tracing';
import { tolerant } from '@site/contract/schema-tools';
import { withTrailingSlash } from '@site/contract/urls';
import type { Serving } from './heartbeat.ts';

/** Statuses of requests that may succeed later: a token can be recreated, and a rate limit ends. */
const PASSING = [401, 403, 408, 429];

export class RegistryError extends Error {
  override name = 'RegistryError';
  readonly status: number;
  readonly isRefusal: boolean;

  constructor(message: string, { status = 0, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = status;
    this.isRefusal = status >= 400 && status < 500 && !PASSING.includes(status);
  }
}

export interface ChannelUpdate {
  state: ChannelState;
  revision: number;
}

export interface EdgeClient {
  channelState(channel: string, signal: AbortSignal): Promise<ChannelUpdate>;
  channelEvents(channel: string, signal: AbortSignal): AsyncIterable<ChannelUpdate>;
  /** @param set see `setId`. @param known the local document; the response omits what it contains. */
  releaseDocument(set: string, known: ReleaseDocument | null, signal: AbortSignal): Promise<ReleaseDocument>;
  heartbeat(edge: string, serving: Serving, signal: AbortSignal): Promise<HeartbeatAnswer>;
  /** The registry deduplicates batches. */
  signals(edge: string, sums: EdgeSums, signal: AbortSignal): Promise<void>;
  goodbye(edge: string): Promise<void>;
  preview(hash: string, signal: AbortSignal): Promise<Preview | 'invalid' | 'over'>;
  previewDocument(hash: string, signal: AbortSignal): Promise<ReleaseDocument | 'invalid' | 'over'>;
  assetIntegrity(app: string, path: string, signal: AbortSignal): Promise<string | null>;
}

const TIMEOUT_MS = 10_000;
/** The registry sends a comment every 15 s, so a stream without one is a connection that no longer exists. */
const SILENT_MS = 40_000;
const GOODBYE_TIMEOUT_MS = 1_000;

/** Every method throws RegistryError if the registry is unreachable or responds unexpectedly. */
export function createEdgeClient(
  registryUrl: string,
  token: string,
  { silentMs = SILENT_MS }: { silentMs?: number } = {},
): EdgeClient {
  const base = withTrailingSlash(registryUrl);

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
      headers: { ...headers, ...traceHeaders(), authorization: `Bearer ${token}` },
      signal,
    } as RequestInit).catch((cause: unknown) => {
      throw new RegistryError(`The registry does not answer ${pathname}.${proxyHint(process.env, cause)}`, {
        cause,
      });
    });
    if (response.ok || tolerated.includes(response.status)) return response;
    const text = await response.text().catch(() => '');
    throw new RegistryError(`The registry answers ${pathname} with ${response.status}: ${reasonIn(text)}`, {
      status: response.status,
    });
  }

  async function ask<C extends Call, Other = never>(
    call: C,
    sent: SentTo<C>,
    signal: AbortSignal,
    others: Readonly<Record<number, Other>> = {},
  ): Promise<AnswerOf<C> | Other> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await request(call, sent, within, Object.keys(others).map(Number));
    if (!response.ok || call.answer === null) {
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
          const revision = readWholeNumber(id, 0, Number.MAX_SAFE_INTEGER);
          if (revision === null) throw new RegistryError(`The registry sent a state with the id "${id}".`);
          yield { state: v.parse(tolerant(ChannelStateSchema), JSON.parse(data)), revision };
        }
      } finally {
        clearTimeout(timer);
      }
    },

    async releaseDocument(set, known, signal) {
      const call = releaseCalls.readReleaseDocument;
      const [release = '', ...ids] = set.split('.');
      const asked = { params: { release }, query: ids.length > 0 ? { canaries: ids.join('.') } : {} };
      if (!known) return ask(call, asked, signal);
      const sent = await ask(call, { ...asked, headers: { [KNOWN_RELEASE]: known.release.id } }, signal);
      // The local release with this id may come from a lost registry: request the complete document.
      return completed(sent, known) ?? ask(call, asked, signal);
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

/**
 * Adds the omitted parts from the local document. Both share their manifests from then on. Null if a part is still
 * missing.
 */
export function completed(
  { besides, besidesDigest, besidesPages = false, ...sent }: SentReleaseDocument,
  known: ReleaseDocument | null,
): ReleaseDocument | null {
  if (besides === undefined) return sent;
  if (besides !== known?.release.id || (besidesDigest ?? known.digest) !== known.digest) return null;
  const { apps, lastGood } = sent.release;
  const manifests: ReleaseDocument['manifests'] = {};
  const files: Record<string, string> = {};
  const rendered = { ...sent.rendered };
  const pages = { ...sent.packs?.pages };
  for (const [app, version] of [...Object.entries(apps), ...Object.entries(lastGood)]) {
    const name = `${app}@${version}`;
    const manifest = sent.manifests[name] ?? known.manifests[name];
    if (!manifest) return null;
    manifests[name] = manifest;
    const pack = sent.packs?.files[name] ?? known.packs?.files[name];
    if (pack !== undefined) files[name] = pack;
    if (!besidesPages || apps[app] !== version || known.release.apps[app] !== version) continue;
    for (const { path } of manifest.kind === 'remote' ? manifest.pages : []) {
      const page = known.rendered[path];
      if (page) rendered[path] = page;
    }
    const packs = known.packs?.pages[app];
    if (packs) pages[app] = packs;
  }
  return { ...sent, manifests, rendered, ...(sent.packs ? { packs: { files, pages } } : {}) };
}

export interface ServerSentEvent {
  event: string;
  data: string;
  id: string;
}

/** Parses an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = 'message', data, id = '' } of events) yield { event, data, id };
}
