import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs and checks the links that end all mail to a recipient. They carry no address, only an invitation's id. */
export interface UnsubscribeLinks {
  /** Relative to the public address of the service: `unsubscribe/<id>?signature=…`. */
  pathFor(invitation: string): Promise<string>;
  isSigned(invitation: string, signature: string): Promise<boolean>;
}

export function createUnsubscribeLinks(secret: () => Promise<string>): UnsubscribeLinks {
  const sign = async (invitation: string) =>
    createHmac('sha256', await secret())
      .update(`unsubscribe ${invitation}`)
      .digest('base64url');
  return {
    pathFor: async (invitation) => `unsubscribe/${invitation}?signature=${await sign(invitation)}`,
    async isSigned(invitation, signature) {
      const wanted = Buffer.from(await sign(invitation));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}
