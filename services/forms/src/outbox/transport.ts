import { createTransport, type Transporter } from 'nodemailer';

export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string;
  /** The sender of all emails: `Blocks <hello@blocks.example>`. Its name is used only without a brand. */
  from: string;
}

const TIMEOUT_MS = 10_000;

/** Opens the SMTP transport. Email parts are text only, never file paths or URLs to read. */
export function openTransport(smtpUrl: string): Transporter {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface MailError {
  code?: unknown;
  responseCode?: unknown;
}

/** Codes only, because mail servers quote addresses in their texts. */
export function errorCodes(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as MailError;
  return [code, responseCode].filter(isCode).join(' ') || 'unknown';
}

const isCode = (part: unknown): part is string | number =>
  typeof part === 'string' || typeof part === 'number';

/**
 * 5xx replies to the recipient or message (RFC 5321, 4.2.1) are permanent, but not those to our login, which may be
 * fixed.
 */
export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as MailError;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500;
}
