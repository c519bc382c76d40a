import { createHmac, randomBytes } from 'node:crypto';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { ChannelName } from '@site/contract';
import { backoff } from '@site/contract/backoff';
import { visibleLine } from '@site/contract/visible-text';
import { HOUR_MS } from '@site/server/durations';

/** A message to people. */
export interface Alert {
  kind: AlertKind | 'test';
  /** What the guard did, and what was sent, happens; a trouble begins and ends. */
  state: 'happened' | 'began' | 'ended';
  /** Null where it is about no channel. */
  channel: ChannelName | null;
  /** What it is about, such as `mfe-blocks@1.0.0-abc` or `edge-1`. */
  subject: string;
  text: string;
}

export type TroubleKind = Exclude<AlertKind, 'acted' | 'suggested' | 'refused' | 'inbox'>;

/** Something that is wrong for a while. One of a kind and subject is the same, whatever it says. */
export interface Trouble extends Pick<Alert, 'channel' | 'subject'> {
  kind: TroubleKind;
  says: string;
  since: Date;
}

/** A text that came from others, cut, and without what chat tools make more of than text: names that wake everyone, and links with another name. */
function plainText(text: string): string {
  return visibleLine(text)
    .slice(0, LONGEST_TEXT)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=channel|here|all|everyone)/gi, '@ ')
    .replaceAll('](', '] (');
}

const LONGEST_TEXT = 2_000;

/** The body that is sent. The same alert always gives the same bytes. */
export function bodyOf({ kind, text, ...data }: Alert, format: AlertFormat, at: Date): string {
  if (format === 'chat') return JSON.stringify({ text: plainText(text) });
  return JSON.stringify({
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    data: { ...data, text: visibleLine(text).slice(0, LONGEST_TEXT) },
  });
}

const SECRET_PREFIX = 'whsec_';

export const createWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;

/** Headers by which a receiver knows who sent a body, and whether it had it before: Standard Webhooks 1.0.0. */
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
 * How long to wait after some failures in a row: 1 s, 2 s, 4 s … 1 h. Longer where the receiver asks for it, up to that hour: no
 * receiver can make an alert wait forever.
 *
 * @param askedMs for how long it asks, in milliseconds.
 */
export function delayAfter(failures: number, askedMs: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(askedMs, backoff(failures, FIRST_DELAY_MS)));
}

/** The address of a hook as it may be shown: chat tools have secrets in the path. */
export const shownUrl = (url: string): string => `${new URL(url).origin}/…`;
