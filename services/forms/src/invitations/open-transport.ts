import { createTransport, type Transporter } from 'nodemailer';

/** How long a mail server may be silent before we give up, until the next try. */
const PATIENCE_MS = 10_000;

/** The way to an SMTP server. What is in a mail is text, never the path of a file or an address to read it from. */
export function openTransport(smtpUrl: string): Transporter {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
