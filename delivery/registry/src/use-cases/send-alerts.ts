import { randomUUID } from 'node:crypto';
import {
  dropAlerts,
  dueHooks,
  firstDelivery,
  noteDelivered,
  noteFailure,
  type AlertHook,
} from '../database/alert.repository.ts';
import { bodyOf, delayAfter, webhookHeaders, type Alert } from '../domain/alert.ts';
import { postAlert } from '../post-alert.ts';
import type { RegistryContext } from './context.ts';

/** What could not be delivered for so long, or has so many after it, is given up. */
const GIVEN_UP_AFTER_MS = 3 * 24 * 60 * 60_000;
const MOST_WAITING = 1_000;
/** A hook gets so many at once; then the others, and what is new, are looked at again. */
const AT_ONCE = 50;

type Context = Pick<RegistryContext, 'db' | 'now'>;

/**
 * Sends what waits: to all hooks beside each other, to each of them in order. What is sent and cannot be noted as sent, because
 * the process dies in between, is sent again with the same id.
 *
 * @param mayGoOn is asked before each attempt: whether no other registry sends.
 */
export async function sendAlerts(
  { db, now }: Context,
  mayGoOn: () => Promise<boolean>,
  closing: AbortSignal,
): Promise<void> {
  await dropAlerts(db, { before: new Date(now().getTime() - GIVEN_UP_AFTER_MS), most: MOST_WAITING });
  const sent = await Promise.allSettled(
    (await dueHooks(db, now())).map((hook) => sendTo({ db, now }, hook, mayGoOn, closing)),
  );
  for (const result of sent) if (result.status === 'rejected') throw result.reason;
}

async function sendTo(
  { db, now }: Context,
  hook: string,
  mayGoOn: () => Promise<boolean>,
  closing: AbortSignal,
): Promise<void> {
  for (let sent = 0; sent < AT_ONCE && (await mayGoOn()); sent++) {
    // Read last: whoever removed the hook before this is right.
    const delivery = await firstDelivery(db, hook);
    if (!delivery) return;
    const { id, alert, at, failures } = delivery;
    const problem = await post(delivery, { id, alert, at }, now(), closing);
    if (problem !== null) {
      const next = new Date(now().getTime() + delayAfter(failures + 1));
      await noteFailure(db, delivery, problem, next);
      return;
    }
    await noteDelivered(db, delivery, now());
  }
}

function post(
  { url, format, secret }: Pick<AlertHook, 'url' | 'format' | 'secret'>,
  { id, alert, at }: { id: string; alert: Alert; at: Date },
  now: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const body = bodyOf(alert, format, at);
  return postAlert({ url, body, headers: webhookHeaders({ id, body, secret }, now) }, signal);
}

/** Sends one alert past those that wait, once. @returns why it was not delivered, or null. */
export function sendTest(hook: AlertHook, at: Date): Promise<string | null> {
  const text = 'This is a test: alerts of the site arrive here.';
  const alert: Alert = { kind: 'test', state: 'happened', channel: null, subject: hook.id, text };
  return post(hook, { id: `alert_${randomUUID()}`, alert, at }, at, new AbortController().signal);
}
