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
import { tolerant } from '@site/contract/tolerant';
import { withTrailingSlash } from '@site/contract/trailing-slashes';
import { completed } from './complete-document.ts';
import type { Serving } from './heartbeat.ts';
import { readServerSentEvents } from './server-sent-events.ts';

/** Statuses of requests that may succeed later: a token can be made again, and a limit ends. */
const PASSING = [401, 403, 408, 429];

/** The registry did not answer, or not with what was asked for. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  /** What the registry answered with; 0 when it did not. */
  readonly status: number;
  /** Whether it was understood and will be refused however often it is sent. */
  readonly isRefusal: boolean;

  constructor(message: string, { status = 0, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = status;
    this.isRefusal = status >= 400 && status < 500 && !PASSING.includes(status);
  }
}

/** Where a channel points, as the registry told it. */
export interface HeardState {
  state: ChannelState;
  /** Of two states that with the larger number is the newer one. Null from a registry that does not count yet. */
  revision: number | null;
}

/** What an edge asks of the registry. */
export interface EdgeClient {
  channelState(channel: string, signal: AbortSignal): Promise<HeardState>;
  /** The channel's state at once and after every change, until the connection ends. */
  channelEvents(channel: string, signal: AbortSignal): AsyncIterable<HeardState>;
  /** @param known what is here already: of that, nothing is sent again. */
  releaseDocument(id: string, known: ReleaseDocument | null, signal: AbortSignal): Promise<ReleaseDocument>;
  /** Tells what this edge serves. A former registry answers nothing. */
  heartbeat(edge: string, serving: Serving, signal: AbortSignal): Promise<HeartbeatAnswer | undefined>;
  /** Hands over what was counted of browsers; the same batch is counted once. */
  signals(edge: string, sums: EdgeSums, signal: AbortSignal): Promise<void>;
  /** Tells that this edge has stopped: nobody needs to wait for it any more. */
  goodbye(edge: string): Promise<void>;
  /** A preview that is in force, by the hash of its link's id; or there was none, or it has ended. */
  preview(hash: string, signal: AbortSignal): Promise<Preview | 'invalid' | 'over'>;
  /** The live release with what a preview shows in it, as long as the preview lasts. */
  previewDocument(hash: string, signal: AbortSignal): Promise<ReleaseDocument | 'invalid' | 'over'>;
  /** The hash of any published file, or null when there is no such file. */
  assetIntegrity(app: string, path: string, signal: AbortSignal): Promise<string | null>;
}

const NO_CONTENT = 204;
const TIMEOUT_MS = 10_000;
/** Stopping an edge waits for this. */
const GOODBYE_TIMEOUT_MS = 1_000;

/** @throws RegistryError from every method when the registry is away or answers something else. */
export function createEdgeClient(registryUrl: string, token: string): EdgeClient {
  const base = withTrailingSlash(registryUrl);

  /** @param tolerated statuses that are not a failure. */
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

  /** @param others what a status other than success stands for. */
  async function ask<C extends Call, Other = never>(
    call: C,
    sent: SentTo<C>,
    signal: AbortSignal,
    others: Readonly<Record<number, Other>> = {},
  ): Promise<AnswerOf<C> | Other> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await request(call, sent, within, Object.keys(others).map(Number));
    // A registry of the version before answers nothing where this one tells something.
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
      const connecting = new AbortController();
      const timer = setTimeout(
        () => connecting.abort(new Error(`No answer in ${TIMEOUT_MS} ms`)),
        TIMEOUT_MS,
      );
      const response = await request(
        channelCalls.followChannel,
        { params: { channel } },
        AbortSignal.any([signal, connecting.signal]),
      ).finally(() => clearTimeout(timer));
      if (!response.body) return;
      for await (const { event, data, id } of readServerSentEvents(response.body)) {
        if (event !== 'state') continue;
        const revision = wholeNumberOf(id, 0, Number.MAX_SAFE_INTEGER);
        yield { state: v.parse(tolerant(ChannelStateSchema), JSON.parse(data)), revision };
      }
    },

    async releaseDocument(id, known, signal) {
      const call = releaseCalls.readReleaseDocument;
      const params = { release: id };
      if (!known) return ask(call, { params }, signal);
      const sent = await ask(call, { params, headers: { [KNOWN_RELEASE]: known.release.id } }, signal);
      // What is here under that id may be of a registry that was lost: then all of it is needed.
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

/** What the registry says of a refusal; of an answer that is not its own, what it begins with. */
function reasonIn(text: string): string {
  const { success, output } = v.safeParse(jsonText(RefusalSchema), text);
  return success
    ? output.errors.map((error) => `${explain(error)} (${error.code})`).join(' ')
    : text.slice(0, 300);
}

/** An edge needs the pointers alone: what else the answer holds may be whatever it likes. */
const shortChannel = {
  ...channelCalls.readChannel,
  answer: v.pick(ChannelAnswerSchema, ['state', 'revision']),
};
