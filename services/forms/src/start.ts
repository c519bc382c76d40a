import type { Database } from '@site/server/open-database';
import { startServer, type RunningServer } from '@site/server/start-server';
import type { FastifyBaseLogger } from 'fastify';
import { createApp } from './app.ts';
import { formsDefaults, type FormsConfig } from './config.ts';
import { formsMigrations } from './migrations.ts';
import { startNotices } from './outbox/notices.ts';
import { startOutbox } from './outbox/send-emails.ts';
import type { MailConfig } from './outbox/transport.ts';
import { createParts, type FormsParts } from './parts.ts';
import { startRetention } from './retention.ts';
import type { FetchLiveSite } from './submissions/declared-forms.ts';

export interface FormsOptions {
  port: number;
  host: string;
  keepAliveSeconds?: number;
  database: Database;
  config: Partial<FormsConfig> & Pick<FormsConfig, 'jwksUrl'>;
  fetchLiveSite?: FetchLiveSite;
}

export async function startForms({
  port,
  host,
  keepAliveSeconds,
  database,
  config,
  fetchLiveSite,
}: FormsOptions): Promise<RunningServer> {
  await database.migrate('forms', formsMigrations);
  const parts = createParts(
    { ...formsDefaults, ...config },
    { database, ...(fetchLiveSite ? { fetchLiveSite } : {}) },
  );
  const app = await createApp(parts);
  const server = await startServer(app, { port, host, keepAliveSeconds });
  const jobs = [
    startRetention({ db: parts.db, retention: parts.config.identityRetention, log: app.log }),
    ...(parts.config.mail === null ? [] : startEmails(parts, parts.config.mail, app.log)),
  ];
  return {
    ...server,
    close: async () => {
      // In parallel: a mail server may delay an email for longer than requests may take.
      await Promise.all([server.close(), ...jobs.map((stop) => stop())]);
    },
  };
}

function startEmails(
  { config, db, findBrand, kinds, links, outbox }: FormsParts,
  mail: MailConfig,
  log: FastifyBaseLogger,
): (() => Promise<void>)[] {
  const { publicUrl, origins, recipients } = config;
  const site = origins[0] ?? null;
  return [
    startOutbox({ mail, outbox, kinds, findBrand, links, publicUrl, site, log }),
    startNotices({ db, mail, findBrand, recipients, log }),
  ];
}
