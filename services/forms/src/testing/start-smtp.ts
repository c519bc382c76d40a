import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TestSmtp {
  url: string;
  mails: { to: string[]; text: string }[];
  /** Null accepts the email, a code rejects it. */
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

/** Removes the line breaks of the transfer encoding. */
export const unfolded = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/\r\n[ \t]+/g, ' ')
    .replaceAll('=3D', '=');

export interface ReadMail {
  headers: string;
  text: string;
  html: string;
}

/** Parses a multipart/alternative email (RFC 2046, 5.1.4). */
export function readMail(raw: string): ReadMail {
  const { head, body } = split(raw);
  const boundary = /^Content-Type: multipart\/alternative;.*?boundary="([^"]+)"/im.exec(head)?.[1];
  if (boundary === undefined) throw new Error(`The mail has one part only:\n${head}`);
  const parts = body.split(`--${boundary}`).slice(1, -1).map(split);
  // Mail programs show the last part that they support.
  const [text, html] = parts.map((part) => decoded(part.head, part.body.replace(/\r\n$/, '')));
  const types = parts.map((part) => /^Content-Type: ([^;\s]+)/im.exec(part.head)?.[1]).join();
  if (types !== 'text/plain,text/html') throw new Error(`The mail has the parts ${types}.`);
  return { headers: head, text: text ?? '', html: html ?? '' };
}

function split(raw: string): { head: string; body: string } {
  const trimmed = raw.replace(/^\r\n/, '');
  const at = trimmed.indexOf('\r\n\r\n');
  return { head: trimmed.slice(0, at).replace(/\r\n[ \t]+/g, ' '), body: trimmed.slice(at + 4) };
}

function decoded(head: string, body: string): string {
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            body
              .replace(/=\r\n/g, '')
              .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
            'latin1',
          )
        : Buffer.from(body);
  return bytes.toString('utf8').replace(/\r\n/g, '\n');
}
