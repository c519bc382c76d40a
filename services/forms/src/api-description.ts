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
import { formsErrors } from './errors.ts';
import { inboxOperations, inboxSchemas, submissionOperations } from './inbox/inbox-operations.ts';
import type { MailLink } from './invitations/mail-links.ts';
import { newsletterAdminOperations } from './newsletter/newsletter-admin.ts';

const identity = {
  description: 'The identity, with its role included unless "include" is empty.',
  schema: 'Identity',
};
const subscription = { description: 'The subscription.', schema: 'SubscriptionAnswer' };
const own = ['app_unknown', 'token_missing', 'token_invalid', 'token_expired', 'guest_not_yours'];

/** By the names that the operations use. */
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

/** What `mountOperations` makes routes of. */
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
    description: 'Fields that are left out stay as they are; id and role never change.',
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
      'The source_id of each form, and its fields. A submission with any other field is refused, never stored without ' +
      'it. The id changes whenever the contract does.',
    access: 'open',
    answers: { 200: { description: 'The contract of each form.', schema: 'FormContract' } },
    errors: [],
  },
  getChallenge: {
    method: 'get',
    path: '/captcha',
    summary: 'Get a captcha challenge',
    description:
      'A proof of work as altcha (version 2) has it: find the counter whose key begins with keyPrefix. It can be sent ' +
      'until data.expires_at (seconds since 1970), once. A network that asks often, or fails, gets more work.',
    access: 'app',
    answers: { 200: { description: 'A new challenge.', schema: 'CaptchaChallenge' } },
    errors: ['app_unknown'],
  },
} satisfies Operations<keyof typeof formsSchemas>;

/** The page of a link in a mail, and what its button does. */
function linkPages(
  link: MailLink,
  errors: string[],
  { see, opening, shows, act, acting }: Record<'see' | 'opening' | 'shows' | 'act' | 'acting', string>,
): Operation[] {
  const page = { path: `/${link}/{id}`, access: 'open', page: true, errors } as const;
  const answer = (description: string) => ({ answers: { 200: { description } } });
  return [
    { ...page, method: 'get', summary: see, description: opening, ...answer(shows) },
    { ...page, method: 'post', summary: act, description: acting, ...answer('A page that says so.') },
  ];
}

const confirmationErrors = ['confirmation_invalid', 'confirmation_over', 'confirmation_used'];

/** What people meet in a browser, and submissions, which they may post there. Their routes are made by hand. */
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
        )}, or the identifier of a form that a remote declares and that is live, or was within the last days. The form_fields are text: the email for the newsletter, for the other forms the JSON of ` +
      'ReferralFields or PartnerApplicationFields. The same submission of one visitor is stored once. ' +
      'visitor_unique_id is empty while the visitor has no identity; otherwise its token is needed. ' +
      'A referral invites nobody before its sender has confirmed it by a link that comes by mail; its message holds no ' +
      'links. An address for the newsletter is a reader once its owner has confirmed it in the same way; it is answered with 201 ' +
      'whether it was known or not. What no schema names is refused by name. ' +
      'All forms but the newsletter need a captcha: the JSON of a CaptchaSolution, in base64, in the field captcha. ' +
      'Browsers without JavaScript post the fields of a form and its source_id as application/x-www-form-urlencoded: ' +
      'from a page of the site (Origin) instead of with an appid, within an hourly limit instead of a captcha. They ' +
      'are answered with pages, and with 303 to /received when the form has arrived.',
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
    summary: 'See that a form has arrived',
    description: 'Where a form that was posted without JavaScript leads: ?form=<name of the form>.',
    access: 'open',
    page: true,
    answers: { 200: { description: 'A page that says so.' } },
    errors: ['route_not_found'],
  },
  ...linkPages('confirm', confirmationErrors, {
    see: 'See what a referral would send',
    opening: `The signed link in the mail to its sender: ?signature=<signature>, good for ${CONFIRM_WITHIN_HOURS} hours. Opening it changes nothing.`,
    shows: 'A page with the recipients, the words and a button.',
    act: 'Confirm a referral',
    acting: 'With the signature of the link, by the button of its page, once. Its invitations go out then.',
  }),
  ...linkPages('unsubscribe', ['unsubscribe_invalid'], {
    see: 'See how to get no more mail',
    opening: 'The signed link in the mails: ?signature=<signature>. Opening it changes nothing.',
    shows: 'A page with a button.',
    act: 'Get no more mail',
    acting:
      'With the signature of the link; by the button of its page, or by the mail program (RFC 8058). Repeating it ' +
      'changes nothing.',
  }),
  ...linkPages('newsletter/confirm', confirmationErrors, {
    see: 'See what a subscription to the newsletter means',
    opening:
      `The signed link in the mail to the address: ?signature=<signature>, good for ${NEWSLETTER_WITHIN_HOURS} hours. Opening it ` +
      'changes nothing.',
    shows: 'A page with the words of the consent and a button.',
    act: 'Confirm an address for the newsletter',
    acting: 'With the signature of the link, by the button of its page, once.',
  }),
  ...linkPages('newsletter/unsubscribe', ['unsubscribe_invalid'], {
    see: 'See how to end the newsletter',
    opening:
      'The signed link in every letter and in the mail that asks: ?signature=<signature>. It never expires. Opening it changes nothing.',
    shows: 'A page with a button.',
    act: 'End the newsletter, or the question about it',
    acting:
      'No link of a mail that asked confirms the address any more. With the signature of the link; by the button of its page, or by the mail program (RFC 8058). Repeating it changes nothing.',
  }),
];

/** The calls of the forms service, as `/openapi.json` and `/docs` tell them. */
export const formsDescription = describeVisitorService({
  title: 'Forms',
  description:
    'Identities of visitors, and what they send through the forms of the site. Answers are JSON:API documents. Tokens are ' +
    'those of the gateway.',
  operations: [
    ...Object.values<Operation>(formsOperations),
    ...pageOperations,
    ...Object.values(inboxOperations),
    ...Object.values(submissionOperations),
    ...Object.values(newsletterAdminOperations),
  ],
  schemas: { ...formsSchemas, ...inboxSchemas },
  errors: formsErrors.table,
  stores: 'the identity, what it sent through forms, and the mails that were queued for it',
});
