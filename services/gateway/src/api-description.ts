import { GuestAuthSchema, GuestCreationSchema, GuestDocumentSchema, GuestUpdateSchema } from '@site/contract';
import { idempotencyKey } from '@site/server/idempotency-key';
import type { Operations } from '@site/server/service-description';
import { describeVisitorService } from '@site/server/visitor-service';
import { gatewayErrors } from './errors.ts';

const token = { 'company-token': "The guest's token (a JWT)." };
const guest = { description: 'The guest.', schema: 'Guest' };
const own = ['app_unknown', 'token_missing', 'token_invalid', 'guest_not_yours', 'guest_not_found'];

export const guestSchemas = {
  GuestCreation: GuestCreationSchema,
  GuestUpdate: GuestUpdateSchema,
  GuestAuth: GuestAuthSchema,
  Guest: GuestDocumentSchema,
};

export const guestOperations = {
  createGuest: {
    method: 'post',
    path: '/guests',
    summary: 'Create a guest',
    description:
      'Both ids are the same new random UUID. A retry with the same Idempotency-Key within an hour, ' +
      "or with the guest's own token, returns the same guest.",
    access: 'app',
    parameters: [idempotencyKey],
    body: 'GuestCreation',
    answers: {
      201: { ...guest, headers: token },
      200: { ...guest, description: 'It existed.', headers: token },
    },
    errors: ['idempotency_key_invalid', 'app_unknown', 'guest_exists'],
  },
  readGuest: {
    method: 'get',
    path: '/guests/{id}',
    summary: 'Read a guest',
    description: 'Times are ISO 8601, addresses are truncated.',
    access: 'app and guest',
    answers: { 200: guest },
    errors: [...own, 'token_expired'],
  },
  changeGuest: {
    method: 'put',
    path: '/guests/{id}',
    summary: 'Change a guest',
    description: 'Omitted fields stay unchanged; the ids never change.',
    access: 'app and guest',
    body: 'GuestUpdate',
    answers: { 200: guest },
    errors: [...own, 'token_expired', 'guest_id_mismatch'],
  },
  renewToken: {
    method: 'post',
    path: '/guests/{id}/auth',
    summary: 'Renew a token',
    description: "Requires the guest's own token, which may have expired a while ago. Counts as a visit.",
    access: 'app and late guest',
    body: 'GuestAuth',
    answers: { 200: { ...guest, headers: token } },
    errors: [...own, 'token_too_old', 'guest_id_mismatch'],
  },
  readKeys: {
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Read the public keys',
    description: 'The keys for verifying tokens (RFC 7517). New ones are published ten minutes before use.',
    access: 'open',
    answers: { 200: { description: 'The key set.' } },
    errors: [],
  },
} satisfies Operations<keyof typeof guestSchemas>;

export const gatewayDescription = describeVisitorService({
  title: 'Gateway',
  description:
    'Guests and their tokens. Responses are JSON:API documents. A guest can read and change only itself, with the ' +
    'token that its creation returns in the company-token header.',
  operations: Object.values(guestOperations),
  schemas: guestSchemas,
  errors: gatewayErrors.table,
  stores: 'the guest',
});
