import { randomUUID } from 'node:crypto';
import type { AlertHook } from './alert-hook.repository.ts';
import { dropAlerts, dueHooks, firstDelivery, noteDelivered, noteFailure } from './alert.repository.ts';
import { alertBody, delayAfter, parseRoutingKey, webhookHeaders, type Alert } from './alert.ts';
import { DAY_MS } from '@site/server/durations';
import type { RegistryContext } from '../kernel/context.ts';
import { proxyHint } from '@site/contract/env-proxy';
import { retryAfterMs } from '@site/contract/http';
import { visibleLine } from '@site/contract/text';

/** An alert is dropped after three days, or once 1,000 newer ones are pending. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
const MOST_WAITING = 1_000;
/** Limits per hook in a row, by number and time, so that other hooks and new alerts get their turn. */
const AT_ONCE = 50;
const AT_ONCE_MS = 5_000;
const WITHIN_MS = 5_000;

type Context = Pick<RegistryContext, 'db' | 'now' | 'metrics'>;

/**
 * Hooks in parallel, the alerts of a hook in order. If the process dies after sending but before recording, the alert
 * is sent again with the same id.
 * @param shouldContinue false if another registry has taken over.
 */
export async function sendAlerts(
  context: Context,
  shouldContinue: () => Promise<boolean>,
  closing: AbortSignal,
): Promise<void> {
  const { db, now } = context;
  await dropAlerts(db, { before: new Date(now().getTime() - GIVEN_UP_AFTER_MS), most: MOST_WAITING });
  const sent = await Promise.allSettled(
    (await dueHooks(db, now())).map((hook) => sendTo(context, hook, shouldContinue, closing)),
  );
  for (const result of sent) if (result.status === 'rejected') throw result.reason;
}

async function sendTo(
  { db, now, metrics }: Context,
  hook: string,
  shouldContinue: () => Promise<boolean>,
  closing: AbortSignal,
): Promise<void> {
  const end = now().getTime() + AT_ONCE_MS;
  for (let sent = 0; sent < AT_ONCE && now().getTime() <= end && (await shouldContinue()); sent++) {
    // Read last, so that a removed hook gets nothing.
    const delivery = await firstDelivery(db, hook);
    if (!delivery) return;
    const { id, alert, at, failures } = delivery;
    const undelivered = await post(delivery, { id, alert, at }, now(), closing);
    if (undelivered) {
      const { problem, waitMs } = undelivered;
      metrics.alertFailed();
      await noteFailure(db, delivery, problem, new Date(now().getTime() + delayAfter(failures + 1, waitMs)));
      return;
    }
    metrics.alertSent(alert.kind);
    await noteDelivered(db, delivery, now());
  }
}

/** Why an alert was not delivered, without the address, which may be secret. */
interface Undelivered {
  problem: string;
  /** `Retry-After` in milliseconds; unvalidated. */
  waitMs: number;
}

/** @returns why it was not delivered, or null. @throws the reason of `signal` when aborted. */
async function post(
  { url, format, secret }: Pick<AlertHook, 'url' | 'format' | 'secret'>,
  { id, alert, at }: { id: string; alert: Alert; at: Date },
  now: Date,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  const body = alertBody(alert, format, { id, at, routingKey: parseRoutingKey(url) });
  const headers = webhookHeaders({ id, body, secret }, now);
  const timeout = AbortSignal.timeout(WITHIN_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'site-registry', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    if (response.ok) {
      await response.body?.cancel();
      return null;
    }
    const isElsewhere = response.status >= 300 && response.status < 400;
    const reason = isElsewhere ? 'redirects are not followed' : await readReason(response, url);
    return {
      problem: `It answered ${response.status}${reason === '' ? '' : `: ${reason}`}.`,
      waitMs: retryAfterMs(response.headers.get('retry-after'), now.getTime()) ?? 0,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { problem: `It did not answer within ${WITHIN_MS / 1000} s.`, waitMs: 0 };
    const { cause } = error as { cause?: { code?: string } };
    return {
      problem: `It could not be reached${cause?.code ? ` (${cause.code})` : ''}.${proxyHint(process.env, error)}`,
      waitMs: 0,
    };
  }
}

const LONGEST_REASON = 200;
/** Parts of an address that are long enough to be a secret. */
const SECRET_PART = /[^/?&=]{8,}/g;

/** The beginning of an error response: text or JSON in one line, without parts of the address. */
async function readReason({ body }: Response, url: string): Promise<string> {
  let text = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > 10 * LONGEST_REASON) break;
    }
  } catch {
    // The status is known; the rest did not arrive in time.
  }
  if (/^\s*</.test(text)) return '';
  const { pathname, search } = new URL(url);
  for (const part of decodeURIComponent(pathname + search).match(SECRET_PART) ?? [])
    text = text.replaceAll(part, '…');
  return visibleLine(text).trim().slice(0, LONGEST_REASON).replace(/\.$/, '');
}

/** Sends one alert immediately, without retries. @returns why it was not delivered, or null. */
export async function sendTest(hook: AlertHook, at: Date): Promise<string | null> {
  const text = 'This is a test: alerts of the site arrive here.';
  const alert: Alert = { kind: 'test', state: 'happened', channel: null, subject: hook.id, text };
  const sent = { id: `alert_${randomUUID()}`, alert, at };
  return (await post(hook, sent, at, new AbortController().signal))?.problem ?? null;
}
