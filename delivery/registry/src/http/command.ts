import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { ChannelNameSchema, ReleaseIdSchema, type ChannelName } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { findRelease, releaseNumber, type StoredRelease } from '../database/release.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { once, type Answer, type Command, type Remember } from '../use-cases/idempotency.ts';
import { actorOf } from './authorize.ts';
import { IdempotencyKeySchema } from './request.schema.ts';

/**
 * Answers a request that changes something: once for each idempotency key; a dry run acts every time.
 *
 * @param complete what has to be done for every answer, the remembered ones too; gives the body to send.
 */
export async function answerOnce(
  context: RegistryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (remember: Remember) => Promise<Answer>,
  complete: (body: unknown, replayed: boolean) => Promise<unknown> = (body) => Promise.resolve(body),
): Promise<FastifyReply> {
  const command = commandOf(request);
  const isDryRun = (request.body as { dryRun?: boolean }).dryRun === true;
  const { status, body, replayed } = isDryRun
    ? { ...(await act(() => Promise.resolve())), replayed: false }
    : await once(context, actorOf(request), command, act);
  return reply
    .status(status)
    .header('idempotency-replayed', String(replayed))
    .send(await complete(body, replayed));
}

/** What a request asks for, and the key that its retries carry. */
export function commandOf(request: FastifyRequest): Command {
  const header = request.headers['idempotency-key'];
  const requestDigest = digest([request.method, request.url, request.body]);
  if (header === undefined) return { key: null, requestDigest };
  const key = v.safeParse(IdempotencyKeySchema, header);
  if (!key.success) {
    throw baseErrors.request_malformed(key.issues[0].message, { source: { header: 'idempotency-key' } });
  }
  return { key: key.output, requestDigest };
}

/** @throws ApiError `channel_unknown`. */
export function channelOf(name: string): ChannelName {
  if (v.is(ChannelNameSchema, name)) return name;
  throw registryErrors.channel_unknown(`There is no channel "${name.slice(0, 50)}".`);
}

/** @throws ApiError `release_unknown`. */
export async function releaseOf({ db }: RegistryContext, id: string): Promise<StoredRelease> {
  const stored = v.is(ReleaseIdSchema, id) ? await findRelease(db, releaseNumber(id)) : null;
  if (!stored) throw registryErrors.release_unknown(`There is no release "${id.slice(0, 50)}".`);
  return stored;
}
