/**
 * How the sender of a referral, or a subscriber to the newsletter, is asked to confirm it. `by_mail`: by a link in a mail to their own
 * address. `held`: the forms service has no mail server, so the question waits.
 */
export const referralConfirmations = ['by_mail', 'held'] as const;
export type ReferralConfirmation = (typeof referralConfirmations)[number];

/** How long the link that confirms a referral can be used, from when it is sent. Hours. */
export const CONFIRM_WITHIN_HOURS = 24;
/** How long mails wait for a way out, and referrals for their confirmation. Days. */
export const MAILS_WAIT_DAYS = 30;

/**
 * What the sender of a referral is told, by the page and by the service that answers it without JavaScript. `unknown`: a
 * service that does not say what it did with the mail; this text is true either way.
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
