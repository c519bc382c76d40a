/** The message for a form that did not reach the forms service, or got an unusable response. */
export const NOT_SENT = 'The form could not be sent. Please try again in a moment.';

/**
 * How a referral or a newsletter address is confirmed. `by_mail`: by an emailed link to the sender's address.
 * `held`: the forms service has no mail server, so the email waits.
 */
export const referralConfirmations = ['by_mail', 'held'] as const;
export type ReferralConfirmation = (typeof referralConfirmations)[number];

/** How many days emails wait to be sent, and referrals to be confirmed. */
export const MAILS_WAIT_DAYS = 30;
/** Validity of confirmation links from the time of sending. */
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
    title: 'Please confirm your referral',
    text:
      'We are sending a mail with a link to your own address, a few a day at most. Nobody is invited before you have ' +
      `opened the link, within ${CONFIRM_WITHIN_HOURS} hours, and confirmed.`,
  },
  held: {
    title: 'We have your referral',
    text:
      'We cannot send mail at the moment, so nobody has been invited. As soon as we can, you get a ' +
      'link to confirm your ' +
      `referral. If none has come after ${MAILS_WAIT_DAYS} days, please send it again.`,
  },
  unknown: {
    title: 'We have your referral',
    text: 'Nobody is invited before you have confirmed it from your own mailbox.',
  },
};

/** The text of the consent, stored with the confirmed address. */
export const NEWSLETTER_CONSENT =
  'Send me one short letter when there is something new to build with. I can end it at any ' +
  'time by the link in each letter.';

/** The same for every address, so that they do not reveal known ones. */
export const newsletterThanks: ConfirmationMessages = {
  by_mail: {
    title: 'Please confirm your address.',
    text:
      `We mail you a link, good for ${NEWSLETTER_WITHIN_HOURS} hours, and a few a day at most. An ` +
      'address that is confirmed already ' +
      'gets none, and one that wants no mail from us gets one a month.',
  },
  held: {
    title: 'We have your address, unconfirmed.',
    text:
      'We cannot send mail at the moment. As soon as we can, you get a link to confirm it. If none has come after ' +
      `${MAILS_WAIT_DAYS} days, please subscribe again.`,
  },
  unknown: {
    title: 'Thank you. We have your address.',
    text: 'If a link to confirm it comes by mail, please open it.',
  },
};
