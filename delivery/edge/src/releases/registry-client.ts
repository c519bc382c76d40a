import * as v from 'valibot';
import {
  ChannelStateSchema,
  IntegritySchema,
  PreviewSchema,
  ReleaseDocumentSchema,
  type ChannelState,
  type Preview,
  type ReleaseDocument,
} from '@site/contract';
import type { Serving } from './heartbeat.ts';
import { readServerSentEvents } from './server-sent-events.ts';

/** The registry did not answer, or not with what was asked for. */
export class RegistryError extends Error {
  override name = 'RegistryError';
}

/** Where a channel points, as the registry told it. */
export interface ToldState {
  state: ChannelState;
  /** Of two states that with the larger number is the newer one. Null from a registry that does not count yet. */
  revision: number | null;
}

/** What an edge asks of the registry. */
export interface RegistryClient {
  channelState(channel: string, signal: AbortSignal): Promise<ToldState>;
  /** The channel's state at once and after every change, until the connection ends. */
  channelEvents(channel: string, signal: AbortSignal): AsyncIterable<ToldState>;
  releaseDocument(id: string, signal: AbortSignal): Promise<ReleaseDocument>;
  /** Tells what this edge serves. */
  heartbeat(edge: string, serving: Serving, signal: AbortSignal): Promise<void>;
  /** Tells that this edge has stopped: nobody needs to wait for it any more. */
  goodbye(edge: string): Promise<void>;
  /** A preview that is in force, by the hash of its link's id; or there was none, or it has ended. */
  preview(hash: string, signal: AbortSignal): Promise<Preview | 'invalid' | 'over'>;
  /** The live release with what a preview shows in it, as long as the preview lasts. */
  previewDocument(hash: string, signal: AbortSignal): Promise<ReleaseDocument | 'invalid' | 'over'>;
  /** The hash of any published file, or null when there is no such file. */
  assetIntegrity(app: string, path: string, signal: AbortSignal): Promise<string | null>;
}

const timeoutMs = 10_000;
/** Whoever stops an edge waits for this. */
const goodbyeTimeoutMs = 1_000;

/** @throws RegistryError from every method when the registry is away or answers something else. */
export function createRegistryClient(registryUrl: string, token: string): RegistryClient {
  const base = new URL('v1/', registryUrl.endsWith('/') ? registryUrl : `${registryUrl}/`);

  async function request(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const url = new URL(path, base);
    try {
      return await fetch(url, {
        ...init,
        redirect: 'error',
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      });
    } catch (cause) {
      throw new RegistryError(`The registry does not answer ${url.pathname}.`, { cause });
    }
  }

  async function requestJson<S extends v.GenericSchema>(
    path: string,
    schema: S,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S>> {
    const response = await request(path, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return readJson(response, path, schema);
  }

  async function requestPreview<S extends v.GenericSchema>(
    path: string,
    schema: S,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S> | 'invalid' | 'over'> {
    const response = await request(path, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status !== 404 && response.status !== 410) return readJson(response, path, schema);
    await response.body?.cancel();
    return response.status === 404 ? 'invalid' : 'over';
  }

  return {
    async channelState(channel, signal) {
      const schema = v.object({ state: ChannelStateSchema, revision: v.optional(v.number()) });
      const { state, revision = null } = await requestJson(`channels/${channel}`, schema, signal);
      return { state, revision };
    },

    async *channelEvents(channel, signal) {
      const path = `channels/${channel}/events`;
      const connecting = new AbortController();
      const timer = setTimeout(() => connecting.abort(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs);
      const response = await request(path, {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, connecting.signal]),
      }).finally(() => clearTimeout(timer));
      await expectOk(response, path);
      if (!response.body) return;
      for await (const { event, data, id } of readServerSentEvents(response.body)) {
        if (event !== 'state') continue;
        const revision = /^\d+$/.test(id) ? Number(id) : null;
        yield { state: v.parse(ChannelStateSchema, JSON.parse(data)), revision };
      }
    },

    releaseDocument: (id, signal) => requestJson(`releases/${id}/document`, ReleaseDocumentSchema, signal),

    async heartbeat(edge, serving, signal) {
      const path = `edges/${encodeURIComponent(edge)}`;
      const response = await request(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(serving),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await expectOk(response, path);
      await response.body?.cancel();
    },

    async goodbye(edge) {
      const path = `edges/${encodeURIComponent(edge)}`;
      const response = await request(path, {
        method: 'DELETE',
        signal: AbortSignal.timeout(goodbyeTimeoutMs),
      });
      await expectOk(response, path);
      await response.body?.cancel();
    },

    preview: (hash, signal) => requestPreview(`previews/${hash}`, PreviewSchema, signal),
    previewDocument: (hash, signal) =>
      requestPreview(`previews/${hash}/document`, ReleaseDocumentSchema, signal),

    async assetIntegrity(app, path, signal) {
      const target = `assets/${app}/${path}`;
      const response = await request(target, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      return (await readJson(response, target, v.object({ integrity: IntegritySchema }))).integrity;
    },
  };
}

async function readJson<S extends v.GenericSchema>(
  response: Response,
  path: string,
  schema: S,
): Promise<v.InferOutput<S>> {
  await expectOk(response, path);
  try {
    return v.parse(schema, await response.json());
  } catch (cause) {
    throw new RegistryError(`The registry's answer to ${path} is not what it should be.`, { cause });
  }
}

async function expectOk(response: Response, path: string): Promise<void> {
  if (response.ok) return;
  const text = await response.text().catch(() => '');
  throw new RegistryError(`The registry answers ${path} with ${response.status}: ${text.slice(0, 300)}`);
}
