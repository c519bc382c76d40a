import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Actions of email links: end all email to a mailbox, confirm a referral, or confirm or end the newsletter.
 */
export type MailLink = 'unsubscribe' | 'confirm' | 'newsletter/confirm' | 'newsletter/unsubscribe';

/** Signs and verifies email links. They contain only the id of an email or a subscriber, no address. */
export interface MailLinks {
  /** Relative to the public URL of the service: `unsubscribe/<id>?signature=…`. */
  pathFor(link: MailLink, id: string): Promise<string>;
  isSigned(link: MailLink, id: string, signature: string): Promise<boolean>;
}

export function createMailLinks(secret: () => Promise<string>): MailLinks {
  const sign = async (link: MailLink, id: string) =>
    createHmac('sha256', await secret())
      .update(`${link} ${id}`)
      .digest('base64url');
  return {
    pathFor: async (link, id) => `${link}/${id}?signature=${await sign(link, id)}`,
    async isSigned(link, id, signature) {
      const wanted = Buffer.from(await sign(link, id));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}
