import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { hexOf } from '@site/artifacts/integrity';
import type { SiteConfig, VersionManifest } from '@site/contract';
import { CliError, RegistryRefusal } from './cli-error.ts';
import {
  AppsSchema,
  ChannelSchema,
  ErrorsSchema,
  HistorySchema,
  ManifestSchema,
  MissingSchema,
  PublishedSchema,
  ReleasedSchema,
  RolledBackSchema,
  VersionsSchema,
} from './registry-answers.schema.ts';
import type { Settings } from './settings.ts';

export interface ReleaseOrder {
  apps: Record<string, string>;
  config?: SiteConfig;
  reason: string;
  force?: boolean;
}

export interface RollbackOrder {
  app: string;
  from?: string;
  to?: string;
  reason: string;
  force?: boolean;
}

/** The registry's HTTP API. Every method throws CliError when the registry refuses or does not answer. */
export type RegistryClient = ReturnType<typeof createRegistryClient>;

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  body?: object;
  bytes?: Buffer;
}

const ATTEMPTS = 3;

export function createRegistryClient({ registryUrl, token }: Settings) {
  async function call<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    { method = 'GET', body, bytes }: Call = {},
  ): Promise<v.InferOutput<Schema>> {
    const init: RequestInit = {
      method,
      redirect: 'error',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(bytes ? { 'content-type': 'application/octet-stream' } : {}),
        // Sent again with the same key when an answer is lost: the registry acts once all the same.
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
    };
    const { status, text } = await send(`${registryUrl}/v1/${path}`, init);
    if (status >= 400) throw refusal(status, text);
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    if (answer.success) return answer.output;
    throw new CliError(
      'registry_answer_invalid',
      `${registryUrl} answers /v1/${path} with something else than a registry does (${answer.issues[0].message}): check SITE_REGISTRY, and that both are of the same version.`,
    );
  }

  async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(url, init);
        return { status: response.status, text: await response.text() };
      } catch (error) {
        if (isRefused(error) || attempt === ATTEMPTS) throw unreachable(error);
        await sleep(100 * 2 ** attempt);
      }
    }
  }

  function unreachable(cause: unknown): CliError {
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} does not answer. Start the site with "npm start", or set SITE_REGISTRY to where it runs.`,
      { cause },
    );
  }

  function refusal(status: number, text: string): CliError {
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorsSchema), text);
    if (!answer.success) {
      return new CliError(
        'registry_answer_invalid',
        `${registryUrl} answers with status ${status} and no reason: check SITE_REGISTRY, it may not be a registry.`,
      );
    }
    const [first] = answer.output.errors;
    return new RegistryRefusal(
      first?.code ?? 'unknown',
      answer.output.errors.map(({ detail }) => detail).join('\n'),
    );
  }

  const name = encodeURIComponent;
  return {
    missingBlobs: async (integrities: string[]) =>
      (await call('blobs/missing', MissingSchema, { method: 'POST', body: { integrities } })).missing,

    /** @param served whether browsers will load it, so that compressed copies are worth making. */
    putBlob: (integrity: string, bytes: Buffer, served: boolean) =>
      call(`blobs/${hexOf(integrity)}${served ? '' : '?served=false'}`, v.unknown(), {
        method: 'PUT',
        bytes,
      }),

    publishVersion: (manifest: VersionManifest, { deferLiveChecks }: { deferLiveChecks: boolean }) =>
      call(`versions${deferLiveChecks ? '?live-checks=defer' : ''}`, PublishedSchema, {
        method: 'POST',
        body: manifest,
      }),

    apps: async () => (await call('apps', AppsSchema)).apps,
    versions: async (app: string) => (await call(`apps/${name(app)}/versions`, VersionsSchema)).versions,
    manifest: (app: string, version: string) =>
      call(`apps/${name(app)}/versions/${name(version)}`, ManifestSchema),

    channel: (channel: string) => call(`channels/${name(channel)}`, ChannelSchema),
    history: async (channel: string, { app, limit }: { app?: string | undefined; limit: number }) => {
      const query = new URLSearchParams({ limit: String(limit), ...(app === undefined ? {} : { app }) });
      return (await call(`channels/${name(channel)}/releases?${query.toString()}`, HistorySchema)).releases;
    },
    createRelease: (channel: string, body: ReleaseOrder) =>
      call(`channels/${name(channel)}/releases`, ReleasedSchema, { method: 'POST', body }),
    rollBack: (channel: string, body: RollbackOrder) =>
      call(`channels/${name(channel)}/rollbacks`, RolledBackSchema, { method: 'POST', body }),
  };
}

/** Nobody listens there: asking again at once is of no use. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  const codes = [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)];
  return codes.some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND');
}
