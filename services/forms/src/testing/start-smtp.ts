import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An SMTP server of a test: it keeps what it takes. */
export interface TestSmtp {
  url: string;
  mails: { to: string[]; text: string }[];
  /** Decides about a recipient: null takes the mail, a code refuses it. */
  refuse: (recipient: string) => number | null;
  close(): Promise<void>;
}

export async function startSmtp(): Promise<TestSmtp> {
  const smtp: TestSmtp = {
    url: '',
    mails: [],
    refuse: () => null,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = smtp.refuse(address);
      callback(responseCode === null ? null : Object.assign(new Error(`No ${address}`), { responseCode }));
    },
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        smtp.mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return smtp;
}

/** Text of a mail without the line breaks that its transfer encoding put in. */
export const unfolded = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/\r\n[ \t]+/g, ' ')
    .replaceAll('=3D', '=');
