import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface CaughtEmail {
  id: number;
  to: string[];
  at: Date;
  content: Email;
}

/** Accepts every email and delivers none. */
export interface MailSink {
  smtpUrl: string;
  /** Newest first. */
  emails(): readonly CaughtEmail[];
  close(): Promise<void>;
}

/** With `MAX_BYTES`, at most 20 MB of memory. */
const MAX_EMAILS = 100;
const MAX_BYTES = 200_000;
const MAX_CLIENTS = 10;

/** Listens on the loopback interface only, on a free port. */
export async function startMailSink(): Promise<MailSink> {
  const emails: CaughtEmail[] = [];
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    async onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        // The rest is read, too: the client is not listening before it has sent everything.
        if (bytes <= MAX_BYTES) chunks.push(chunk);
      }
      if (bytes > MAX_BYTES)
        return callback(Object.assign(new Error('The email is too large.'), { responseCode: 552 }));
      const to = envelope.rcptTo.map(({ address }) => address);
      const content = await PostalMime.parse(Buffer.concat(chunks));
      emails.unshift({ id: (received += 1), to, at: new Date(), content });
      emails.length = Math.min(emails.length, MAX_EMAILS);
      callback();
    },
  });
  // A client that disconnects is no reason to end the site.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    smtpUrl: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    emails: () => emails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
