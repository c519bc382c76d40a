import { createTransport, type Transporter } from 'nodemailer';

/** SMTP timeout before the next retry. */
const PATIENCE_MS = 10_000;

/** Opens the SMTP transport. Email parts are text only, never file paths or URLs to read. */
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
