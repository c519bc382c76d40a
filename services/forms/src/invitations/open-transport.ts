import { createTransport, type Transporter } from 'nodemailer';

/** A mail server that is silent for so long is given up, until the next try. */
const PATIENCE = 10_000;

/** The way to an SMTP server. */
export function openTransport(smtpUrl: string): Transporter {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
}
