import { defineErrors } from '@site/server/api-error';

export const gatewayErrors = defineErrors({
  guest_exists: {
    status: 409,
    title: 'The guest exists',
    remedy:
      "Retry the creation with the same Idempotency-Key within an hour, or with the guest's own token; or create a " +
      'guest with a new id.',
  },
  guest_id_mismatch: {
    status: 409,
    title: 'The ids differ',
    remedy: 'Send the id of the path in the body; the ids of a guest never change.',
  },
  guest_not_found: {
    status: 404,
    title: 'No such guest',
    remedy: 'Create a guest with POST /guests.',
  },
  token_too_old: {
    status: 401,
    title: 'The token is too old to be renewed',
    remedy: 'Create a guest with POST /guests.',
  },
});
