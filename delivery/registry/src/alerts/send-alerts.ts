import { randomUUID } from 'node:crypto';
import type { AlertHook } from './alert-hook.repository.ts';
import { dropAlerts, dueHooks, firstDelivery, noteDelivered, noteFailure } from './alert.repository.ts';
import { alertBody, delayAfter, parseRoutingKey, webhookHeaders, type Alert } from './alert.ts';
import { DAY_MS } from '@site/server/durations';
import type { RegistryContext } from '../kernel/context.ts';
import { sendRequest, type Undelivered } from '../kernel/send-request.ts';

/** An alert is dropped after three days, or once 1,000 newer ones are pending. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
const MOST_WAITING = 1_000;
/** Limits per hook in a row, by number and time, so that other hooks and new alerts get their turn. */
const AT_ONCE = 50;
const AT_ONCE_MS = 5_000;

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

/** @returns why it was not delivered, or null. @throws the reason of `signal` when aborted. */
function post(
  { url, format, secret }: Pick<AlertHook, 'url' | 'format' | 'secret'>,
  { id, alert, at }: { id: string; alert: Alert; at: Date },
  now: Date,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  const body = alertBody(alert, format, { id, at, routingKey: parseRoutingKey(url) });
  const headers = { 'content-type': 'application/json', ...webhookHeaders({ id, body, secret }, now) };
  return sendRequest({ url, headers, body }, now, signal);
}

/** Sends one alert immediately, without retries. @returns why it was not delivered, or null. */
export async function sendTest(hook: AlertHook, at: Date): Promise<string | null> {
  const text = 'This is a test: alerts of the site arrive here.';
  const alert: Alert = { kind: 'test', state: 'happened', channel: null, subject: hook.id, text };
  const sent = { id: `alert_${randomUUID()}`, alert, at };
  return (await post(hook, sent, at, new AbortController().signal))?.problem ?? null;
}
