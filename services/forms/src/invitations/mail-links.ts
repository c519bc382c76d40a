import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the links in our mails do: end all mail to a mailbox, confirm a referral, or begin and end the newsletter. */
export type MailLink = 'unsubscribe' | 'confirm' | 'newsletter/confirm' | 'newsletter/unsubscribe';

/** Signs and checks the links in mails. They carry no address, only the id of a mail, or of a reader of the newsletter. */
export interface MailLinks {
  /** Relative to the public address of the service: `unsubscribe/<id>?signature=…`. */
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
