/**
 * How a referral or a newsletter address is confirmed. `by_mail`: by an emailed link to the sender's address.
 * `held`: the forms service has no mail server, so the email waits.
 */
export const referralConfirmations = ['by_mail', 'held'] as const;
export type ReferralConfirmation = (typeof referralConfirmations)[number];

/** Validity of a referral's confirmation link from the time of sending, in hours. */
export const CONFIRM_WITHIN_HOURS = 24;
/** How many days emails wait to be sent, and referrals to be confirmed. */
export const MAILS_WAIT_DAYS = 30;

/**
 * Messages after a referral, for the page and the service's page without JavaScript. `unknown`: for a service
 * that does not report whether it sends email; true in either case.
 */
export const referralThanks: Readonly<
  Record<ReferralConfirmation | 'unknown', { title: string; text: string }>
> = {
  by_mail: {
    title: 'Please confirm your referral',
    text:
      'We are sending a mail with a link to your own address, a few a day at most. Nobody is invited before you have ' +
      `opened the link, within ${CONFIRM_WITHIN_HOURS} hours, and confirmed.`,
  },
  held: {
    title: 'We have your referral',
    text:
      'We cannot send mail at the moment, so nobody has been invited. As soon as we can, you get a link to confirm your ' +
      `referral. If none has come after ${MAILS_WAIT_DAYS} days, please send it again.`,
  },
  unknown: {
    title: 'We have your referral',
    text: 'Nobody is invited before you have confirmed it from your own mailbox.',
  },
};
