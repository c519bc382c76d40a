import { MAILS_WAIT_DAYS, type ReferralConfirmation } from './referral-thanks.ts';

/** Validity of the newsletter's confirmation link from the time of sending, in hours. */
export const NEWSLETTER_WITHIN_HOURS = 48;

/** The text of the consent, stored with the confirmed address. */
export const NEWSLETTER_CONSENT =
  'Send me one short letter when there is something new to build with. I can end it at any time by the link in each letter.';

/**
 * Messages after entering a newsletter address, for the page and the service's page without JavaScript. The
 * same for every address, so that it does not reveal known ones. `unknown`: for a service that does not
 * report whether it sends email; true in either case.
 */
export const newsletterThanks: Readonly<
  Record<ReferralConfirmation | 'unknown', { title: string; text: string }>
> = {
  by_mail: {
    title: 'Please confirm your address.',
    text:
      `We mail you a link, good for ${NEWSLETTER_WITHIN_HOURS} hours, and a few a day at most. An address that is confirmed already, ` +
      'or wants no mail from us, gets none.',
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
