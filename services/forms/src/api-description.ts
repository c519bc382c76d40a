import {
  CONFIRM_WITHIN_HOURS,
  CaptchaDocumentSchema,
  CaptchaSolutionSchema,
  FormContractDocumentSchema,
  IdentityDocumentSchema,
  IdentityRegistrationSchema,
  IdentityUpdateSchema,
  SubscriptionDocumentSchema,
  SubscriptionSchema,
  NEWSLETTER_WITHIN_HOURS,
  formSources,
  siteFormSchemas,
} from '@site/contract';
import { idempotencyKey } from '@site/server/idempotency-key';
import type { Operation, Operations } from '@site/server/service-description';
import { describeVisitorService } from '@site/server/visitor-service';
import { formsErrors } from './kernel/errors.ts';
import { inboxOperations, inboxSchemas, submissionOperations } from './inbox/inbox-operations.ts';
import { subscriberListOperations } from './inbox/subscriber-list.ts';
import type { EmailLink } from './outbox/email-links.ts';

const identity = {
  description: 'The identity, with its role unless "include" is empty.',
  schema: 'Identity',
};
const subscription = { description: 'The subscription.', schema: 'SubscriptionAnswer' };
const own = ['app_unknown', 'token_missing', 'token_invalid', 'token_expired', 'guest_not_yours'];

export const formsSchemas = {
  IdentityRegistration: IdentityRegistrationSchema,
  IdentityUpdate: IdentityUpdateSchema,
  Identity: IdentityDocumentSchema,
  Subscription: SubscriptionSchema,
  SubscriptionAnswer: SubscriptionDocumentSchema,
  FormContract: FormContractDocumentSchema,
  CaptchaChallenge: CaptchaDocumentSchema,
  CaptchaSolution: CaptchaSolutionSchema,
  ReferralFields: siteFormSchemas.referral.fields,
  PartnerApplicationFields: siteFormSchemas['partner-application'].fields,
};

export const formsOperations = {
  registerIdentity: {
    method: 'post',
    path: '/identities/{id}/register',
    summary: 'Register a guest as an identity',
    description: 'With the only role there is, guest. Repeating it changes nothing.',
    access: 'app and guest',
    include: ['role'],
    body: 'IdentityRegistration',
    answers: { 201: identity, 200: { ...identity, description: 'It was registered.' } },
    errors: [...own, 'identity_id_mismatch'],
  },
  readIdentity: {
    method: 'get',
    path: '/identities/{id}',
    summary: 'Read an identity',
    description: '',
    access: 'app and guest',
    include: ['role'],
    answers: { 200: identity },
    errors: [...own, 'identity_not_found'],
  },
  changeIdentity: {
    method: 'put',
    path: '/identities/{id}',
    summary: 'Change an identity',
    description: 'Omitted fields stay unchanged; id and role never change.',
    access: 'app and guest',
    include: ['role'],
    body: 'IdentityUpdate',
    answers: { 200: identity },
    errors: [...own, 'identity_id_mismatch', 'identity_not_found'],
  },
  readFormContract: {
    method: 'get',
    path: '/form-contract',
    summary: 'Read what each form may send',
    description:
      'The source_id of each form and its fields. A submission with any other field is rejected, never ' +
      'stored without it. The id changes whenever the contract does.',
    access: 'open',
    answers: { 200: { description: 'The contract of each form.', schema: 'FormContract' } },
    errors: [],
  },
  getChallenge: {
    method: 'get',
    path: '/captcha',
    summary: 'Get a captcha challenge',
    description:
      'A proof of work in the format of altcha (version 2): find the counter whose key begins with ' +
      'keyPrefix. The solution can be sent once, until data.expires_at (seconds since 1970). Networks with many ' +
      'requests or failures get harder challenges.',
    access: 'app',
    answers: { 200: { description: 'A new challenge.', schema: 'CaptchaChallenge' } },
    errors: ['app_unknown'],
  },
} satisfies Operations<keyof typeof formsSchemas>;

function linkPages(
  link: EmailLink,
  errors: string[],
  { see, opening, shows, act, acting }: Record<'see' | 'opening' | 'shows' | 'act' | 'acting', string>,
): Operation[] {
  const page = { path: `/${link}/{id}`, access: 'open', page: true, errors } as const;
  const answer = (description: string) => ({ answers: { 200: { description } } });
  return [
    { ...page, method: 'get', summary: see, description: opening, ...answer(shows) },
    { ...page, method: 'post', summary: act, description: acting, ...answer('An error page.') },
  ];
}

const confirmationErrors = ['confirmation_invalid', 'confirmation_over', 'confirmation_used'];

/**
 * Pages for browsers, and submissions, which browsers may also post as forms. Their routes are written by
 * hand.
 */
const pageOperations: Operation[] = [
  {
    method: 'post',
    path: '/subscriptions',
    summary: 'Send a form',
    description:
      `The source_id is one of ${Object.entries(formSources)
        .map(([name, id]) => `${id} (${name})`)
        .join(
          ', ',
        )}, or the identifier of a form that a remote declares and that is live, or was live within the ` +
      'last days. The form_fields are text: the email for the newsletter, for the other forms the JSON of ' +
      "ReferralFields or PartnerApplicationFields. Repeating a visitor's submission stores it once. " +
      'visitor_unique_id is empty while the visitor has no identity; otherwise its token is required. ' +
      'Invitations of a referral are sent after its sender confirms it by an emailed link; its message must not ' +
      'contain links. An address gets the newsletter after its owner confirms it in the same way; ' +
      'the response is 201 whether or not the address was known. Unknown fields are rejected by name. ' +
      'All forms but the newsletter need a captcha: the JSON of a CaptchaSolution, in base64, in the field captcha. ' +
      'Browsers without JavaScript post the fields of a form and its source_id as application/x-www-form-urlencoded: ' +
      'from a page of the site (Origin) instead of with an appid, with an hourly limit instead of a captcha. They ' +
      'get pages as responses, and 303 to /received on success.',
    access: 'app and optional guest',
    parameters: [idempotencyKey],
    body: 'Subscription',
    answers: { 201: subscription, 200: { ...subscription, description: 'It was stored already.' } },
    errors: [
      ...own,
      'captcha_invalid',
      'idempotency_key_invalid',
      'idempotency_key_reused',
      'origin_unknown',
      'source_unknown',
    ],
  },
  {
    method: 'get',
    path: '/received',
    summary: 'Show that a form was received',
    description: 'The redirect target for forms posted without JavaScript: ?form=<name of the form>.',
    access: 'open',
    page: true,
    answers: { 200: { description: 'A confirmation page.' } },
    errors: ['route_not_found'],
  },
  ...linkPages('confirm', confirmationErrors, {
    see: 'Preview a referral',
    opening:
      `The signed link in the email to its sender: ?signature=<signature>, valid for ${CONFIRM_WITHIN_HOURS} hours. ` +
      'Opening it changes nothing.',
    shows: 'A page with the recipients, the message and a button.',
    act: 'Confirm a referral',
    acting: 'With the signature of the link, by the button of its page, once. Its invitations go out then.',
  }),
  ...linkPages('unsubscribe', ['unsubscribe_invalid'], {
    see: 'Show the unsubscribe page for all email',
    opening: 'The signed link in the emails: ?signature=<signature>. Opening it changes nothing.',
    shows: 'A page with a button.',
    act: 'Unsubscribe from all email',
    acting:
      'With the signature of the link; by the button of its page, or by the mail program (RFC 8058). Repeating it ' +
      'changes nothing.',
  }),
  ...linkPages('newsletter/confirm', confirmationErrors, {
    see: 'Show the confirmation page of the newsletter',
    opening:
      `The signed link in the email to the address: ?signature=<signature>, valid for ${NEWSLETTER_WITHIN_HOURS} ` +
      'hours. Opening it changes nothing.',
    shows: 'A page with the text of the consent and a button.',
    act: 'Confirm an address for the newsletter',
    acting: 'With the signature of the link, by the button of its page, once.',
  }),
  ...linkPages('newsletter/unsubscribe', ['unsubscribe_invalid'], {
    see: 'Show the unsubscribe page of the newsletter',
    opening:
      'The signed link in every newsletter and in the confirmation email: ?signature=<signature>. It never ' +
      'expires. Opening it changes nothing.',
    shows: 'A page with a button.',
    act: 'Unsubscribe from the newsletter, or decline it',
    acting:
      "Invalidates all confirmation links of the address. With the signature of the link; sent by the page's button " +
      'or by the email program (RFC 8058). Repeating it changes nothing.',
  }),
];

export const formsDescription = describeVisitorService({
  title: 'Forms',
  description:
    'Identities of visitors and their form submissions. Responses are JSON:API documents. Tokens are ' +
    'issued by the gateway.',
  operations: [
    ...Object.values<Operation>(formsOperations),
    ...pageOperations,
    ...Object.values(inboxOperations),
    ...Object.values(submissionOperations),
    ...Object.values(subscriberListOperations),
  ],
  schemas: { ...formsSchemas, ...inboxSchemas },
  errors: formsErrors.table,
  stores: 'the identity, its form submissions, and the emails queued for them',
});
