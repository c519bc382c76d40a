import type { Database } from '@site/server/open-database';
import type { FastifyBaseLogger } from 'fastify';
import type { FormsConfig } from '../config.ts';
import { createMailer, sendEmails } from '../outbox/send-emails.ts';
import type { MailConfig } from '../outbox/transport.ts';
import { createParts } from '../parts.ts';

/** Sends due emails once, like an instance after a restart. */
export function workOnOutbox(
  database: Database,
  config: FormsConfig,
  options: {
    mail: MailConfig;
    site: string | null;
    log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
    now: () => number;
  },
): Promise<void> {
  const { mail, site, log, now } = options;
  const parts = createParts({ ...config, mail }, { database, now });
  const send = createMailer({ ...parts, publicUrl: config.publicUrl, mail, site });
  return sendEmails({ outbox: parts.outbox, send, now, log });
}
