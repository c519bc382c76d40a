import type { Database } from '@site/server/open-database';
import type { FormsConfig } from '../config.ts';
import { sendInvitations } from '../invitations/send-invitations.ts';
import { createMailer, type InvitationsOptions } from '../invitations/start-invitations.ts';
import { createParts } from '../parts.ts';

/** Sends due emails once, like an instance after a restart. */
export function workOnOutbox(
  database: Database,
  config: FormsConfig,
  { mail, site, log, now }: Pick<InvitationsOptions, 'mail' | 'site' | 'log'> & { now: () => number },
): Promise<void> {
  const parts = createParts({ ...config, mail }, { database, now });
  const send = createMailer({ ...parts, publicUrl: config.publicUrl, mail, site });
  return sendInvitations({ invitations: parts.invitations, send, now, log });
}
