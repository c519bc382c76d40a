import { APP_ID_HEADER, IDEMPOTENCY_HEADER, TOKEN_HEADER } from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { createServer } from '@site/server/create-server';
import { createGuestAccess } from '@site/server/guest-access';
import { readIdempotencyKey } from '@site/server/idempotency-key';
import type { ResourceDocument } from '@site/server/json-api';
import { mountOperations } from '@site/server/mount-calls';
import type { Database } from '@site/server/open-database';
import { serveOpenApi } from '@site/server/openapi';
import { addVisitorAdmin } from '@site/server/visitor-admin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayDescription, guestOperations, guestSchemas } from './api-description.ts';
import type { GatewayConfig } from './config.ts';
import { gatewayErrors } from './errors.ts';
import { createGuests, guestDocument } from './guests/guests.ts';
import { createGuestsRepository, type GuestRow, type Visit } from './guests/guests.repository.ts';
import { shortenAddress } from './guests/shorten-address.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createSigningKeysRepository } from './keys/signing-keys.repository.ts';
import { createTokenVerifier, signToken } from './keys/tokens.ts';
import type { GatewayTables } from './tables.ts';
import { createVisitorRecords } from './visitor-records.ts';

export interface GatewayDeps {
  database: Database;
  now?: () => number;
}

export async function createApp(
  config: GatewayConfig,
  { database, now = Date.now }: GatewayDeps,
): Promise<FastifyInstance> {
  const db = database.schema<GatewayTables>('gateway');
  const guests = createGuests(createGuestsRepository(db));
  const ring = createKeyRing({
    repository: createSigningKeysRepository(db),
    now,
    rotateAfter: config.keyRotation * 1000,
    keepAfter: (config.tokenLifetime + config.renewalGrace) * 1000,
  });

  const app = await createServer({
    name: 'gateway',
    logLevel: config.logLevel,
    trustProxy: config.trustProxy,
    bodyLimit: 16 * 1024,
    handlerTimeout: 20_000,
    rateLimit: config.rateLimit,
    cors: {
      origins: config.origins,
      allowedHeaders: ['authorization', APP_ID_HEADER, 'content-type', IDEMPOTENCY_HEADER],
      exposedHeaders: [TOKEN_HEADER],
    },
    ready: () => database.ping(),
  });
  const access = createGuestAccess(
    createTokenVerifier(ring, now, config.tokensSince),
    config.appIds,
    (request, guest) => app.limitGuest(request, guest),
  );

  const createVisit = (request: FastifyRequest): Visit => ({
    at: new Date(now()),
    ip: shortenAddress(request.ip),
  });

  async function withToken(reply: FastifyReply, guest: GuestRow): Promise<ResourceDocument> {
    const { token, expiresAt } = await signToken(ring, guest.user_unique_id, {
      issuedAt: Math.floor(now() / 1000),
      lifetime: config.tokenLifetime,
    });
    void reply.header(TOKEN_HEADER, token);
    return guestDocument(guest, { token_expires_at: new Date(expiresAt * 1000).toISOString() });
  }

  /** An invalid token on a creation proves nothing, and does not block it either. */
  async function hasOwnToken(request: FastifyRequest, id: string): Promise<boolean> {
    try {
      return (await access.guestOfToken(request, config.renewalGrace)) === id;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return false;
      throw error;
    }
  }

  function tooOld(error: unknown): never {
    if (error instanceof ApiError && error.code === 'token_expired') {
      throw gatewayErrors.token_too_old('The token expired too long ago.', {
        source: { header: 'authorization' },
        headers: error.headers,
        cause: error,
      });
    }
    throw error;
  }

  const gates = {
    app: access.requireApp,
    'app and guest': access.ownGuest,
    'app and late guest': (request: FastifyRequest) =>
      access.ownGuest(request, config.renewalGrace).catch(tooOld),
  };
  mountOperations(app, { operations: guestOperations, schemas: guestSchemas }, gates, {
    async createGuest({ body: { unique_id: id }, request, reply }) {
      const { guest, created } = await guests.create(id, createVisit(request), {
        key: readIdempotencyKey(request),
        ownToken: () => hasOwnToken(request, id),
      });
      void reply.status(created ? 201 : 200).header('location', `/guests/${id}`);
      return withToken(reply, guest);
    },
    readGuest: async ({ caller }) => guestDocument(await guests.read(caller)),
    changeGuest: async ({ caller, body }) => guestDocument(await guests.update(caller, body)),
    renewToken: async ({ caller, body, request, reply }) =>
      withToken(reply, await guests.visit(caller, body.guest_unique_id, createVisit(request))),
    async readKeys({ reply }) {
      void reply.header('cache-control', 'public, max-age=60').type('application/jwk-set+json');
      return JSON.stringify(await ring.jwks());
    },
  });
  addVisitorAdmin(app, { adminToken: config.adminToken, records: createVisitorRecords(db), now });
  serveOpenApi(app, gatewayDescription);
  return app;
}
