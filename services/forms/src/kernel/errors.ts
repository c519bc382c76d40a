import { defineErrors } from '@site/server/api-error';

export const formsErrors = defineErrors({
  captcha_invalid: {
    status: 403,
    title: 'The captcha is not solved',
    remedy: 'Get a challenge with GET /captcha, solve it, and send its solution once as "captcha".',
  },
  confirmation_invalid: {
    status: 404,
    title: 'Nothing to confirm with this link',
    remedy:
      'Open the link exactly as it is in the email. Submissions that were unsubscribed or removed cannot be ' +
      'confirmed: send the form once more.',
  },
  confirmation_over: {
    status: 410,
    title: 'The confirmation link has expired',
    remedy: 'Send the form again to get a new link by email.',
  },
  confirmation_used: {
    status: 410,
    title: 'Already confirmed',
    remedy: 'Nothing left to do; you can close this page.',
  },
  identity_id_mismatch: {
    status: 409,
    title: 'The ids differ',
    remedy: 'Send the id of the path as "unique_id" in the body; the id of an identity never changes.',
  },
  identity_not_found: {
    status: 404,
    title: 'No such identity',
    remedy: 'Register it with POST /identities/{id}/register.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new submission; repeat a submission unchanged.',
  },
  origin_unknown: {
    status: 403,
    title: 'Not sent from the site',
    remedy: 'Open the form on the site itself and send it from there.',
  },
  source_unknown: {
    status: 422,
    title: 'Unknown form',
    remedy: 'Send as "source_id" the id of a form of the site, or of a form declared by a live remote.',
  },
  submission_id_mismatch: {
    status: 409,
    title: 'The ids differ',
    remedy: 'Send the id of the path as "id" in the body.',
  },
  submission_unknown: {
    status: 404,
    title: 'No such submission',
    remedy: 'Take the id from a list; it may have been erased, or its retention period has ended.',
  },
  unsubscribe_invalid: {
    status: 404,
    title: 'Unknown email link',
    remedy:
      'Open the link exactly as it is in the email. Confirmation emails are deleted 30 days after they were sent, ' +
      'or when you unsubscribe; their links then stop working.',
  },
});
