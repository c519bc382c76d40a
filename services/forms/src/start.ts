import type { Database } from '@site/server/open-database';
import { startServer, type RunningServer } from '@site/server/start-server';
import { createApp } from './app.ts';
import { createFindBrand } from './brand/find-brand.ts';
import { formsDefaults, type FormsConfig } from './config.ts';
import { createInvitationsRepository } from './invitations/invitations.repository.ts';
import type { MailConfig } from './invitations/invitation-mail.ts';
import { startInvitations } from './invitations/start-invitations.ts';
import { createMailLinks } from './invitations/mail-links.ts';
import type { AskLiveSite } from './known-forms/declared-forms.ts';
import { createLimits } from './limits/create-limits.ts';
import { formsMigrations } from './migrations.ts';
import { createReaderIds } from './newsletter/reader-ids.ts';
import { startNotices } from './notices/start-notices.ts';
import { startRetention } from './retention.ts';
import { createSecrets } from './secrets.ts';
import type { FormsTables } from './tables.ts';

/** Where a forms service listens, and on what it works. */
export interface FormsOptions {
  port: number;
  host: string;
  /** Opened by the caller, who closes it after the service. */
  database: Database;
  /** `jwksUrl`, and what differs from the defaults. */
  config: Partial<FormsConfig> & Pick<FormsConfig, 'jwksUrl'>;
  /** See `FormsDeps`. */
  askLiveSite?: AskLiveSite;
}

/**
 * Migrates the database, starts listening, removing what is past its retention period and, where there is an SMTP server, sending
 * invitations.
 *
 * @throws PortError, DatabaseError
 */
export async function startForms({
  port,
  host,
  database,
  config,
  askLiveSite,
}: FormsOptions): Promise<RunningServer> {
  await database.migrate('forms', formsMigrations);
  const full = { ...formsDefaults, ...config };
  const app = await createApp(full, { database, ...(askLiveSite ? { askLiveSite } : {}) });
  const server = await startServer(app, { port, host });
  const db = database.schema<FormsTables>('forms');
  const stopRetention = startRetention({ db, retention: full.identityRetention, log: app.log });
  const { mail, recipients } = full;
  const asks = askLiveSite !== undefined || full.registry !== null;
  const findBrand = createFindBrand(db, { asks, from: mail?.from ?? null });
  const stopInvitations = mail === null ? null : startMails(mail);
  const stopNotices = mail === null ? null : startNotices({ db, mail, findBrand, recipients, log: app.log });
  return {
    ...server,
    close: async () => {
      await Promise.all([stopInvitations?.(), stopNotices?.(), stopRetention()]);
      await server.close();
    },
  };

  function startMails(mail: MailConfig): () => Promise<void> {
    const secretOf = createSecrets(db);
    return startInvitations({
      mail,
      invitations: createInvitationsRepository(db, createLimits(db, full, Date.now).mails),
      findBrand,
      links: createMailLinks(() => secretOf('unsubscribe')),
      readerIdOf: createReaderIds(() => secretOf('readers')),
      publicUrl: full.publicUrl,
      site: full.origins[0] ?? null,
      log: app.log,
    });
  }
}
