import type { Database } from '@site/server/open-database';
import { startServer, type RunningServer } from '@site/server/start-server';
import type { FastifyBaseLogger } from 'fastify';
import { createApp } from './app.ts';
import { formsDefaults, type FormsConfig } from './config.ts';
import type { MailConfig } from './invitations/invitation-mail.ts';
import { startInvitations } from './invitations/start-invitations.ts';
import type { AskLiveSite } from './known-forms/declared-forms.ts';
import { formsMigrations } from './migrations.ts';
import { startNotices } from './notices/start-notices.ts';
import { createParts, type FormsParts } from './parts.ts';
import { startRetention } from './retention.ts';

export interface FormsOptions {
  port: number;
  host: string;
  /** Opened by the caller, who closes it after the service. */
  database: Database;
  /** `jwksUrl`, and overrides of the defaults. */
  config: Partial<FormsConfig> & Pick<FormsConfig, 'jwksUrl'>;
  /** See `FormsDeps`. */
  askLiveSite?: AskLiveSite;
}

/**
 * Migrates the database and starts the server, the retention job and, with an SMTP server, the outbox.
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
  const parts = createParts(
    { ...formsDefaults, ...config },
    { database, ...(askLiveSite ? { askLiveSite } : {}) },
  );
  const app = await createApp(parts);
  const server = await startServer(app, { port, host });
  const jobs = [
    startRetention({ db: parts.db, retention: parts.config.identityRetention, log: app.log }),
    ...(parts.config.mail === null ? [] : startMails(parts, parts.config.mail, app.log)),
  ];
  return {
    ...server,
    close: async () => {
      // In parallel: a mail server may delay an email for longer than requests may take.
      await Promise.all([server.close(), ...jobs.map((stop) => stop())]);
    },
  };
}

/** @returns functions that stop each of them. */
function startMails(
  { config, db, findBrand, invitations, links, readerIdOf }: FormsParts,
  mail: MailConfig,
  log: FastifyBaseLogger,
): (() => Promise<void>)[] {
  const { publicUrl, origins, recipients } = config;
  const site = origins[0] ?? null;
  return [
    startInvitations({ mail, invitations, findBrand, links, readerIdOf, publicUrl, site, log }),
    startNotices({ db, mail, findBrand, recipients, log }),
  ];
}
