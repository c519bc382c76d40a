import {
  APP_ID_HEADER,
  GuestAuthSchema,
  GuestCreationSchema,
  GuestUpdateSchema,
  IDEMPOTENCY_HEADER,
  TOKEN_HEADER,
} from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { createServer } from '@site/server/create-server';
import { createGuestAccess } from '@site/server/guest-access';
import { idempotencyKeyOf } from '@site/server/idempotency-key';
import { JSON_API } from '@site/server/json-api';
import { jsonApiCall } from '@site/server/json-api-call';
import type { Database } from '@site/server/open-database';
import { serveOpenApi } from '@site/server/openapi';
import { parseBody } from '@site/server/validate';
import { addVisitorAdmin } from '@site/server/visitor-admin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayDescription } from './api-description.ts';
import type { GatewayConfig } from './config.ts';
import { gatewayErrors } from './errors.ts';
import { guestDocument } from './guests/guest-document.ts';
import { createGuests } from './guests/guests.ts';
import { createGuestsRepository, type GuestRow, type Visit } from './guests/guests.repository.ts';
import { shortenAddress } from './guests/shorten-address.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createSigningKeysRepository } from './keys/signing-keys.repository.ts';
import { createTokenVerifier, signToken } from './keys/tokens.ts';
import type { GatewayTables } from './tables.ts';
import { createVisitorRecords } from './visitor-records.ts';

/** What the gateway needs from outside. The database's schema `gateway` is migrated already. */
export interface GatewayDeps {
  database: Database;
  /** Milliseconds since 1970. Default: the clock of the machine. */
  now?: () => number;
}

type GuestRequest = FastifyRequest<{ Params: { id: string } }>;

/** The gateway: guests and their tokens (specification, section 7). */
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
  const access = createGuestAccess(createTokenVerifier(ring, now), config.appIds, (request, guest) =>
    app.limitGuest(request, guest),
  );

  const visitOf = (request: FastifyRequest): Visit => ({
    at: new Date(now()),
    ip: shortenAddress(request.ip),
  });

  function send(reply: FastifyReply, guest: GuestRow, meta?: Record<string, unknown>): FastifyReply {
    return reply.type(JSON_API).header('cache-control', 'no-store').send(guestDocument(guest, meta));
  }

  async function sendWithToken(reply: FastifyReply, guest: GuestRow): Promise<FastifyReply> {
    const { token, expiresAt } = await signToken(ring, guest.user_unique_id, {
      issuedAt: Math.floor(now() / 1000),
      lifetime: config.tokenLifetime,
    });
    return send(reply.header(TOKEN_HEADER, token), guest, {
      token_expires_at: new Date(expiresAt * 1000).toISOString(),
    });
  }

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=60').type('application/jwk-set+json');
    return JSON.stringify(await ring.jwks());
  });

  app.post('/guests', jsonApiCall(), async (request, reply) => {
    access.requireApp(request);
    const { unique_id: id } = parseBody(GuestCreationSchema, request.body);
    const { guest, created } = await guests.create(id, visitOf(request), {
      key: idempotencyKeyOf(request),
      ownToken: () => carriesTokenOf(request, id),
    });
    void reply.status(created ? 201 : 200).header('location', `/guests/${id}`);
    return sendWithToken(reply, guest);
  });

  /** Whatever is wrong with the token of a creation, it proves nothing, but does not stand in the way either. */
  async function carriesTokenOf(request: FastifyRequest, id: string): Promise<boolean> {
    try {
      return (await access.guestOfToken(request, config.renewalGrace)) === id;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return false;
      throw error;
    }
  }

  app.get('/guests/:id', jsonApiCall(), async (request: GuestRequest, reply) => {
    const id = await ownGuest(request);
    return send(reply, await guests.read(id));
  });

  app.put('/guests/:id', jsonApiCall(), async (request: GuestRequest, reply) => {
    const id = await ownGuest(request);
    return send(reply, await guests.update(id, parseBody(GuestUpdateSchema, request.body)));
  });

  app.post('/guests/:id/auth', jsonApiCall(), async (request: GuestRequest, reply) => {
    const id = await ownGuest(request, config.renewalGrace).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'token_expired') {
        throw gatewayErrors.token_too_old('The token expired too long ago.', {
          source: { header: 'authorization' },
          headers: error.headers,
          cause: error,
        });
      }
      throw error;
    });
    const { guest_unique_id: given } = parseBody(GuestAuthSchema, request.body);
    return sendWithToken(reply, await guests.visit(id, given, visitOf(request)));
  });

  /** The id of the path, once it is certain that the request comes from that guest. */
  async function ownGuest(request: GuestRequest, graceSeconds = 0): Promise<string> {
    access.requireApp(request);
    await access.requireGuest(request, request.params.id, graceSeconds);
    return request.params.id.toLowerCase();
  }

  addVisitorAdmin(app, { adminToken: config.adminToken, records: createVisitorRecords(db), now });
  serveOpenApi(app, gatewayDescription);
  return app;
}
