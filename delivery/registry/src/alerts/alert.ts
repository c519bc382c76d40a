import { createHmac, randomBytes } from 'node:crypto';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { ChannelName } from '@site/contract';
import { backoff } from '@site/contract/http';
import { visibleLine } from '@site/contract/text';
import { HOUR_MS } from '@site/server/durations';

export interface Alert {
  kind: AlertKind | 'test';
  /** Actions of the guard and inbox news are events; problems begin and end. */
  state: 'happened' | 'began' | 'ended';
  channel: ChannelName | null;
  /** For example `mfe-blocks@1.0.0-abc` or `edge-1`. */
  subject: string;
  text: string;
}

export type TroubleKind = Exclude<AlertKind, 'acted' | 'suggested' | 'refused' | 'inbox'>;

/** An ongoing problem, identified by kind and subject, regardless of its text. */
export interface Trouble extends Pick<Alert, 'channel' | 'subject'> {
  kind: TroubleKind;
  says: string;
  since: Date;
}

/** Untrusted text, truncated and without chat markup: mentions that notify everyone, and disguised links. */
function plainText(text: string): string {
  return visibleLine(text)
    .slice(0, LONGEST_TEXT)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=channel|here|all|everyone)/gi, '@ ')
    .replaceAll('](', '] (');
}

const LONGEST_TEXT = 2_000;

export function alertBody({ kind, text, ...data }: Alert, format: AlertFormat, at: Date): string {
  if (format === 'chat') return JSON.stringify({ text: plainText(text) });
  return JSON.stringify({
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    data: { ...data, text: visibleLine(text).slice(0, LONGEST_TEXT) },
  });
}

const SECRET_PREFIX = 'whsec_';

export const createWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;

/** Signature and message id for receivers: Standard Webhooks 1.0.0. */
export function webhookHeaders(
  { id, body, secret }: { id: string; body: string; secret: string },
  at: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = HOUR_MS;

/**
 * 1 s, 2 s, 4 s … 1 h. `Retry-After` (`askedMs`) can extend it up to 1 h, so that no receiver blocks an alert forever.
 */
export function delayAfter(failures: number, askedMs: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(askedMs, backoff(failures, FIRST_DELAY_MS)));
}

/** A hook's address without its path, where chat tools put secrets. */
export const shownUrl = (url: string): string => `${new URL(url).origin}/…`;
