/** The message for a form that did not reach the forms service, or got an unusable response. */
export const NOT_SENT = 'We couldn’t send the form. Please try again in a moment.';

export const referralConfirmations = ['by_mail', 'held'] as const;
export type ReferralConfirmation = (typeof referralConfirmations)[number];

export const MAILS_WAIT_DAYS = 30;
export const CONFIRM_WITHIN_HOURS = 24;
export const NEWSLETTER_WITHIN_HOURS = 48;

/**
 * Messages after sending, for the page and the service's page without JavaScript. `unknown`: for a service
 * that does not report whether it sends email; true in either case.
 */
type ConfirmationMessages = Readonly<
  Record<ReferralConfirmation | 'unknown', { title: string; text: string }>
>;

export const referralThanks: ConfirmationMessages = {
  by_mail: {
    title: 'Check your inbox',
    text:
      `We’ve emailed you a confirmation link. It works for ${CONFIRM_WITHIN_HOURS} hours. ` +
      'No invitations go out until you confirm.',
  },
  held: {
    title: 'We’ve got your referral',
    text:
      'We can’t send email right now, so no invitations have gone out. ' +
      'You’ll get a confirmation link as soon as we can. ' +
      `If none has arrived in ${MAILS_WAIT_DAYS} days, please send it again.`,
  },
  unknown: {
    title: 'We’ve got your referral',
    text: 'No invitations go out until you confirm it by email.',
  },
};

/** The text of the consent, stored with the confirmed address. */
export const NEWSLETTER_CONSENT =
  'Email me when there’s something new to build with. I can unsubscribe at any time with the ' +
  'link in each email.';

/** The same for every address, so that they do not reveal known ones. */
export const newsletterThanks: ConfirmationMessages = {
  by_mail: {
    title: 'Almost done.',
    text:
      `Check your inbox for a confirmation link. It works for ${NEWSLETTER_WITHIN_HOURS} hours. ` +
      'If you’re already subscribed, we won’t send one.',
  },
  held: {
    title: 'We’ve got your address.',
    text:
      'We can’t send email right now. You’ll get a confirmation link as soon as we can. ' +
      `If none has arrived in ${MAILS_WAIT_DAYS} days, please subscribe again.`,
  },
  unknown: {
    title: 'Thanks, we’ve got your address.',
    text: 'If we email you a confirmation link, please open it.',
  },
};
