import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { ChannelNameSchema, ReleaseIdSchema, type ChannelName } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import { listEdges, saveEdge } from '../database/edge.repository.ts';
import {
  channelState,
  findRelease,
  findStable,
  listReleases,
  releaseId,
  releaseNumber,
  type StoredRelease,
} from '../database/release.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import { appChanges } from '../use-cases/append-release.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { createRelease } from '../use-cases/create-release.ts';
import { once, type Command } from '../use-cases/idempotency.ts';
import { releaseDocument } from '../use-cases/release-document.ts';
import { rollBack } from '../use-cases/roll-back.ts';
import { actorOf, requireScope } from './authorize.ts';
import type { ChannelEvents } from './channel-events.ts';
import {
  EdgeIdSchema,
  HeartbeatSchema,
  IdempotencyKeySchema,
  ReleaseRequestSchema,
  RollbackRequestSchema,
} from './request.schema.ts';

/** An edge reports every few seconds; one that was silent for this long is not waited for. */
const EDGE_LIVES_MS = 15_000;

/** Channels, their releases, and the edges that serve them. */
export function channelRoutes(app: FastifyInstance, context: RegistryContext, events: ChannelEvents): void {
  const { db, now } = context;

  app.get<{ Params: { channel: string } }>('/v1/channels/:channel', async (request) => {
    const channel = channelOf(request.params.channel);
    const stable = await findStable(db, channel);
    const edges = await listEdges(db, channel);
    return {
      state: await channelState(db, channel),
      release: stable?.release ?? null,
      edges: edges.map(({ id, release, seenAt }) => ({
        id,
        release: release === null ? null : releaseId(release),
        seenAt,
        // Judged by this clock: the reader's may differ.
        alive: now().getTime() - seenAt.getTime() < EDGE_LIVES_MS,
      })),
    };
  });

  app.get<{ Params: { channel: string } }>('/v1/channels/:channel/events', async (request, reply) => {
    await events.serve(channelOf(request.params.channel), reply);
  });

  app.get<{ Params: { channel: string }; Querystring: { limit?: string; app?: string } }>(
    '/v1/channels/:channel/releases',
    async (request) => {
      const channel = channelOf(request.params.channel);
      const limit = limitOf(request.query.limit);
      const releases = await listReleases(db, channel, { limit, app: request.query.app });
      return {
        releases: await Promise.all(
          releases.map(async (stored) => ({
            ...stored.release,
            revoked: stored.isRevoked,
            changes: appChanges(await parentApps(stored), stored.release.apps),
          })),
        ),
      };
    },
  );

  app.post<{ Params: { channel: string } }>('/v1/channels/:channel/releases', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(ReleaseRequestSchema, request.body);
    const actor = actorOf(request);
    for (const name of Object.keys(body.apps)) requireScope(actor, `activate:${name}`);
    // What concerns more than the named apps is for ops.
    if (body.config || body.force || Object.keys(body.apps).length === 0) requireScope(actor, 'ops');
    const answer = await once(context, actor, commandOf(request), (remember) =>
      createRelease(context, actor, channel, body, remember),
    );
    return reply
      .status(answer.status)
      .header('idempotency-replayed', String(answer.replayed))
      .send(answer.body);
  });

  app.post<{ Params: { channel: string } }>('/v1/channels/:channel/rollbacks', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(RollbackRequestSchema, request.body);
    const actor = actorOf(request);
    // A team puts its own remote back by itself.
    requireScope(actor, body.force ? 'ops' : `activate:${body.app}`);
    const answer = await once(context, actor, commandOf(request), (remember) =>
      rollBack(context, actor, channel, body, remember),
    );
    return reply
      .status(answer.status)
      .header('idempotency-replayed', String(answer.replayed))
      .send(answer.body);
  });

  app.get<{ Params: { id: string } }>('/v1/releases/:id', async (request) => {
    return (await releaseOf(request.params.id)).release;
  });

  app.get<{ Params: { id: string } }>('/v1/releases/:id/document', async (request, reply) => {
    void reply.header('cache-control', 'private, max-age=31536000, immutable');
    return releaseDocument(context, await releaseOf(request.params.id));
  });

  app.put<{ Params: { id: string } }>('/v1/edges/:id', async (request, reply) => {
    const id = v.safeParse(EdgeIdSchema, request.params.id);
    if (!id.success) throw baseErrors.request_malformed(id.issues[0].message);
    requireScope(actorOf(request), 'read');
    const { channel, release } = parseBody(HeartbeatSchema, request.body);
    await saveEdge(db, {
      id: id.output,
      channel,
      release: release === null ? null : releaseNumber(release),
      seenAt: now(),
    });
    return reply.status(204).send();
  });

  async function releaseOf(id: string): Promise<StoredRelease> {
    const stored = v.is(ReleaseIdSchema, id) ? await findRelease(db, releaseNumber(id)) : null;
    if (!stored) throw registryErrors.release_unknown(`There is no release "${id.slice(0, 50)}".`);
    return stored;
  }

  async function parentApps({ release }: StoredRelease) {
    if (release.parent === null) return {};
    return (await findRelease(db, releaseNumber(release.parent)))?.release.apps ?? {};
  }
}

function channelOf(name: string): ChannelName {
  if (v.is(ChannelNameSchema, name)) return name;
  throw registryErrors.channel_unknown(`There is no channel "${name.slice(0, 50)}".`);
}

function limitOf(text: string = '20'): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw baseErrors.request_malformed(
    `"limit" is "${text.slice(0, 20)}": a whole number from 1 to 200 is needed.`,
    {
      source: { parameter: 'limit' },
    },
  );
}

function commandOf(request: FastifyRequest): Command {
  const header = request.headers['idempotency-key'];
  const requestDigest = digest([request.method, request.url, request.body]);
  if (header === undefined) return { key: null, requestDigest };
  const key = v.safeParse(IdempotencyKeySchema, header);
  if (!key.success) {
    throw baseErrors.request_malformed(key.issues[0].message, { source: { header: 'idempotency-key' } });
  }
  return { key: key.output, requestDigest };
}
