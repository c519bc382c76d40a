import { randomUUID } from 'node:crypto';
import type { ReadableStream } from 'node:stream/web';
import * as v from 'valibot';
import { hexOf } from '@site/artifacts/integrity';
import {
  AuditAnswerSchema,
  ChangeAnswerSchema,
  ChannelAnswerSchema,
  CollectionAnswerSchema,
  EdgeForgottenSchema,
  FreezesAnswerSchema,
  PreviewMadeSchema,
  PublishAnswerSchema,
  QuarantineAnswerSchema,
  ReleaseDiffSchema,
  RestoreAnswerSchema,
  RevocationAnswerSchema,
  TokenMadeSchema,
  TokensAnswerSchema,
  VerificationAnswerSchema,
  VersionManifestSchema,
  type SiteConfig,
  type VersionManifest,
} from '@site/contract';
import { AppsSchema, HistorySchema, MissingSchema, VersionsSchema } from './registry-answers.schema.ts';
import { createRegistryTransport, type Connection } from './registry-transport.ts';

interface Order {
  reason: string;
  /** Everything is checked, nothing is changed. */
  dryRun?: boolean | undefined;
}

export interface ReleaseOrder extends Order {
  apps: Record<string, string>;
  /** The remotes to leave out. */
  without?: string[] | undefined;
  config?: SiteConfig | undefined;
  force?: boolean | undefined;
  /** The release that the author saw: refused when another one is live. */
  parent?: string | undefined;
  /** Per cent of the visitors: the release is made a candidate. */
  share?: number | undefined;
}

export interface RollbackOrder extends Order {
  app: string;
  from?: string | undefined;
  to?: string | undefined;
  stable?: boolean | undefined;
  without?: string[] | undefined;
  force?: boolean | undefined;
}

/** What concerns the running canary; `candidate` is the one that the author saw. */
export interface CanaryOrder extends Order {
  candidate?: string | undefined;
}

/** Reads a list that is answered in pages to its end. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** The registry's HTTP API. Every method throws CliError when the registry refuses or does not answer. */
export type RegistryClient = ReturnType<typeof createRegistryClient>;

export function createRegistryClient(connection: Connection) {
  const { call, stream } = createRegistryTransport(connection);

  const post = <Schema extends v.GenericSchema>(path: string, schema: Schema, body: object) =>
    call(path, schema, { method: 'POST', body });
  /** A change is sent with an idempotency key: sent again after a lost answer, it is done once all the same. */
  const change = <Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    body: object,
    ifLive?: string,
  ) => call(path, schema, { method: 'POST', body, key: connection.key ?? randomUUID(), ifLive });

  const name = encodeURIComponent;
  const ofChannel = (channel: string) => `channels/${name(channel)}`;
  const ofVersion = (app: string, version: string) => `apps/${name(app)}/versions/${name(version)}`;
  return {
    missingBlobs: async (integrities: string[]) =>
      (await post('blobs/missing', MissingSchema, { integrities })).missing,

    putBlob: (integrity: string, bytes: Buffer) =>
      call(`blobs/${hexOf(integrity)}`, v.unknown(), {
        method: 'PUT',
        bytes,
      }),

    publishVersion(
      manifest: VersionManifest,
      { deferLiveChecks = false, dryRun = false }: { deferLiveChecks?: boolean; dryRun?: boolean } = {},
    ) {
      const query = [deferLiveChecks ? 'live-checks=defer' : '', dryRun ? 'dry-run=true' : ''].filter(
        Boolean,
      );
      // Without a key: registering the same version again is no change.
      return post(`versions${query.length > 0 ? `?${query.join('&')}` : ''}`, PublishAnswerSchema, manifest);
    },

    apps: async (channel = 'production') => (await call(`apps?channel=${name(channel)}`, AppsSchema)).apps,
    /** The one that was published last comes first. Asked for in pages, as far as they are read. */
    async *versions(app: string) {
      let before = '';
      for (;;) {
        const { versions, next } = await call(`apps/${name(app)}/versions${before}`, VersionsSchema);
        yield* versions;
        if (next === null) return;
        before = `?before=${next}`;
      }
    },
    manifest: (app: string, version: string) => call(ofVersion(app, version), VersionManifestSchema),
    quarantine: (app: string, version: string, body: Order) =>
      change(`${ofVersion(app, version)}/quarantines`, QuarantineAnswerSchema, body),
    release: (app: string, version: string, body: Order) =>
      change(`${ofVersion(app, version)}/unquarantines`, QuarantineAnswerSchema, body),

    channel: (channel: string) => call(ofChannel(channel), ChannelAnswerSchema),
    history: async (
      channel: string,
      { app, limit, before }: { app?: string | undefined; limit: number; before?: string | undefined },
    ) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(app === undefined ? {} : { app }),
        ...(before === undefined ? {} : { before }),
      });
      return (await call(`${ofChannel(channel)}/releases?${query.toString()}`, HistorySchema)).releases;
    },
    diff: (from: string, to: string) => call(`releases/${name(from)}/diff/${name(to)}`, ReleaseDiffSchema),

    createRelease: (channel: string, body: ReleaseOrder) =>
      change(`${ofChannel(channel)}/releases`, ChangeAnswerSchema, body),
    /** @param ifLive the version that the author saw live. */
    rollBack: (channel: string, body: RollbackOrder, ifLive?: string) =>
      change(`${ofChannel(channel)}/rollbacks`, ChangeAnswerSchema, body, ifLive),
    setShare: (channel: string, body: CanaryOrder & { share: number }) =>
      change(`${ofChannel(channel)}/candidate`, ChangeAnswerSchema, body),
    promote: (channel: string, body: CanaryOrder) =>
      change(`${ofChannel(channel)}/promotions`, ChangeAnswerSchema, body),
    abort: (channel: string, body: CanaryOrder & { quarantine?: boolean | undefined }) =>
      change(`${ofChannel(channel)}/aborts`, ChangeAnswerSchema, body),
    freeze: (channel: string, body: Order & { app?: string | undefined }) =>
      change(`${ofChannel(channel)}/freezes`, FreezesAnswerSchema, body),
    unfreeze: (channel: string, body: Order & { app?: string | undefined }) =>
      change(`${ofChannel(channel)}/unfreezes`, FreezesAnswerSchema, body),

    createPreview: (body: {
      app: string;
      version?: string | undefined;
      dev?: string | undefined;
      channel: string;
      expiresInMinutes?: number | undefined;
      dryRun?: boolean | undefined;
    }) => change('previews', PreviewMadeSchema, body),
    revokePreview: (id: string, body: Order) =>
      change(`previews/${name(id)}/revocations`, RevocationAnswerSchema, body),

    createToken: (body: {
      name: string;
      scopes: string[];
      expiresInDays?: number | undefined;
      dryRun?: boolean | undefined;
    }) => change('tokens', TokenMadeSchema, body),
    /** The newest comes first. Asked for in pages, as far as they are read. */
    async *tokens() {
      let before = '';
      for (;;) {
        const { tokens, next } = await call(`tokens${before}`, TokensAnswerSchema);
        yield* tokens;
        if (next === null) return;
        before = `?before=${name(next)}`;
      }
    },
    revokeToken: (id: string, body: Order) =>
      change(`tokens/${name(id)}/revocations`, RevocationAnswerSchema, body),

    /** @param id of an edge that does not report any more. */
    forgetEdge: (id: string, body: Order) => change(`edges/${name(id)}/removals`, EdgeForgottenSchema, body),

    verify: () => post('verifications', VerificationAnswerSchema, {}),
    collect: (body: {
      keepReleases?: number | undefined;
      keepDays?: number | undefined;
      dryRun?: boolean | undefined;
    }) => change('collections', CollectionAnswerSchema, body),
    audit: async ({ limit, before }: { limit: number; before?: number | undefined }) => {
      const query = `limit=${limit}${before === undefined ? '' : `&before=${before}`}`;
      return (await call(`audit?${query}`, AuditAnswerSchema)).events;
    },

    /** Everything that the registry keeps, as a tar file. */
    backup: (): Promise<ReadableStream<Uint8Array>> => stream('backup'),
    restore: (tar: ReadableStream<Uint8Array>, { dryRun = false }: { dryRun?: boolean } = {}) =>
      call(`restore${dryRun ? '?dry-run=true' : ''}`, RestoreAnswerSchema, { method: 'POST', stream: tar }),
  };
}
