import { MAILS_WAIT_DAYS, type ReferralConfirmation } from './referral-thanks.ts';

/** How long the link that confirms a subscription to the newsletter can be used, from when it is sent. Hours. */
export const NEWSLETTER_WITHIN_HOURS = 48;

/** What a subscriber agrees to by confirming. It is stored with the address, word for word. */
export const NEWSLETTER_CONSENT =
  'Send me one short letter when there is something new to build with. I can end it at any time by the link in each letter.';

/**
 * What a visitor who entered an address for the newsletter is told, by the page and by the service that answers it without
 * JavaScript. It is the same for every address, so it does not tell which ones are known. `unknown`: a service that does not say whether
 * it sends mail; this text is true either way.
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
