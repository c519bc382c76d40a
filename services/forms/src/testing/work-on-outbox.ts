import type { Kysely } from 'kysely';
import { createFindBrand } from '../brand/find-brand.ts';
import { createInvitationsRepository } from '../invitations/invitations.repository.ts';
import { createMailLinks } from '../invitations/mail-links.ts';
import { sendInvitations } from '../invitations/send-invitations.ts';
import { createMailer, type InvitationsOptions } from '../invitations/start-invitations.ts';
import { createLimits } from '../limits/create-limits.ts';
import { createReaderIds } from '../newsletter/reader-ids.ts';
import { createSecrets } from '../secrets.ts';
import type { FormsTables } from '../tables.ts';

/** Sends what is due, once, as an instance does after a restart: it knows nothing but the database. */
export function workOnOutbox(
  db: Kysely<FormsTables>,
  config: Parameters<typeof createLimits>[1],
  options: Pick<InvitationsOptions, 'mail' | 'publicUrl' | 'site' | 'log'> & { now: () => number },
): Promise<void> {
  const secretOf = createSecrets(db);
  const invitations = createInvitationsRepository(db, createLimits(db, config, options.now).mails);
  return sendInvitations({
    invitations,
    send: createMailer({
      ...options,
      invitations,
      findBrand: createFindBrand(db, { asks: false, from: options.mail.from }),
      links: createMailLinks(() => secretOf('unsubscribe')),
      readerIdOf: createReaderIds(() => secretOf('readers')),
    }),
    now: options.now,
    log: options.log,
  });
}
