import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the links in our mails do: end all mail to a mailbox, or confirm a referral. */
export type MailLink = 'unsubscribe' | 'confirm';

/** Signs and checks the links in mails. They carry no address, only a mail's id. */
export interface MailLinks {
  /** Relative to the public address of the service: `unsubscribe/<id>?signature=…`. */
  pathFor(link: MailLink, mail: string): Promise<string>;
  isSigned(link: MailLink, mail: string, signature: string): Promise<boolean>;
}

export function createMailLinks(secret: () => Promise<string>): MailLinks {
  const sign = async (link: MailLink, mail: string) =>
    createHmac('sha256', await secret())
      .update(`${link} ${mail}`)
      .digest('base64url');
  return {
    pathFor: async (link, mail) => `${link}/${mail}?signature=${await sign(link, mail)}`,
    async isSigned(link, mail, signature) {
      const wanted = Buffer.from(await sign(link, mail));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}
