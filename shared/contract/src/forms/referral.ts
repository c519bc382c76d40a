import { REFERRAL_SOURCE } from './form-sources.ts';
import { referralThanks } from './form-messages.ts';
import type { FormDefinition } from './form.ts';

const MAX_TO_EMAILS = 20;

export const referralForm = {
  name: 'referral',
  sourceId: REFERRAL_SOURCE,
  place: '/partners#refer',
  title: 'Refer someone',
  button: 'Send referral',
  thanks: referralThanks,
  captcha: true,
  fields: {
    email: { kind: 'sender', label: 'From: your email' },
    to_emails: {
      kind: 'emails',
      label: 'To: their emails',
      hint: `Up to ${MAX_TO_EMAILS} addresses, separated by commas. Each gets one email after you confirm.`,
      most: MAX_TO_EMAILS,
      // Several lines, so that a column of addresses can be pasted.
      rows: 2,
    },
    message: {
      kind: 'message',
      label: 'Message',
      hint: 'No web addresses, please.',
      optional: true,
      maxLength: 2_000,
      rows: 11,
      first: `Hi,

I thought of you when I saw {brand}: ready-made, managed backend blocks (login, forms, search and more) that plug into any frontend, so you can skip building the same backend again.

The first month is free in a stage environment, with no credit card. Take a look.`,
    },
  },
} satisfies FormDefinition;
