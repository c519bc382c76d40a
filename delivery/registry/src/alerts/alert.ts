import { createHmac, randomBytes } from 'node:crypto';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { ChannelName } from '@site/contract';
import { backoff } from '@site/contract/http';
import { visibleLine } from '@site/contract/text';
import { HOUR_MS } from '@site/server/durations';

export interface Alert {
  kind: AlertKind | 'test';
  /** Rollbacks, suggestions and inbox news are events; problems begin and end. */
  state: 'happened' | 'began' | 'ended';
  channel: ChannelName | null;
  subject: string;
  text: string;
}

export type TroubleKind = Exclude<AlertKind, 'acted' | 'suggested' | 'refused' | 'rollback' | 'inbox'>;

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

interface Delivery {
  id: string;
  at: Date;
  /** PagerDuty expects its key in the body. */
  routingKey: string | null;
}

export function alertBody(alert: Alert, format: AlertFormat, delivery: Delivery): string {
  return JSON.stringify(bodies[format](alert, delivery));
}

const chatBody = ({ text }: Alert) => ({ text: plainText(text) });

const bodies: Record<AlertFormat, (alert: Alert, delivery: Delivery) => object> = {
  json: ({ kind, text, ...data }, { at }) => ({
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    data: { ...data, text: visibleLine(text).slice(0, LONGEST_TEXT) },
  }),
  chat: chatBody,
  slack: chatBody,
  // Discord rejects longer messages.
  discord: ({ text }) => ({
    content: plainText(text).slice(0, LONGEST_TEXT),
    allowed_mentions: { parse: [] },
  }),
  // Workflows accept any JSON, but show only cards.
  teams: ({ text }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [{ type: 'TextBlock', text: plainText(text), wrap: true }],
        },
      },
    ],
  }),
  pagerduty: ({ kind, state, channel, subject, text }, { id, at, routingKey }) => ({
    routing_key: routingKey,
    event_action: state === 'ended' ? 'resolve' : 'trigger',
    // The end of a problem resolves the incident that its beginning opened.
    dedup_key: state === 'happened' ? id : `${kind} ${subject}`.slice(0, 255),
    payload: {
      summary: visibleLine(text).slice(0, 1_024),
      source: subject,
      severity: state === 'happened' ? 'warning' : 'error',
      timestamp: at.toISOString(),
      component: kind,
      custom_details: { channel },
    },
  }),
};

const TOOLS: [host: RegExp, AlertFormat][] = [
  [/(^|\.)slack(-gov)?\.com$/, 'slack'],
  [/(^|\.)(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)$/, 'teams'],
  [/(^|\.)discord(app)?\.com$/, 'discord'],
  [/^events(\.eu)?\.pagerduty\.com$/, 'pagerduty'],
];

export function detectFormat(url: string): AlertFormat {
  const { hostname } = new URL(url);
  return TOOLS.find(([host]) => host.test(hostname))?.[1] ?? 'json';
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

export const parseRoutingKey = (url: string): string | null => new URL(url).searchParams.get('routing_key');
