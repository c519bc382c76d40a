import { backoff, MAX_RETRIES } from '@site/contract/http';
import { HONEYPOT_FIELD } from '@site/contract/forms/form-sources';
import { newsletterThanks } from '@site/contract/forms/form-messages';
import type { SubmitResult } from '@site/kit';
import type { SiteServices } from '@site/kit/host';
import type { SubscribeToNewsletter } from '../newsletter/newsletter-context.ts';
import type { KeptSubscription, NewsletterOutbox } from './newsletter-outbox.ts';
import { emptyNewsletterField, forgetNewsletterText, keepUndelivered } from './newsletter-text.ts';

interface SendDependencies {
  outbox: NewsletterOutbox;
  submitForm: SiteServices['submitForm'];
  now: () => number;
  log: Pick<Console, 'error'>;
  guestId: () => string | null;
}

/**
 * The subscriptions of this guest or document. Others are withdrawn, because a script may have planted them for other
 * addresses; the visitor finds the address in the field.
 */
export function ownSubscriptions(
  outbox: NewsletterOutbox,
  guestId: SendDependencies['guestId'],
): NewsletterOutbox {
  return {
    ...outbox,
    all() {
      const current = guestId();
      return outbox.all().filter(({ key, email, guest }) => {
        if (outbox.isOwn(key) || (current !== null && guest === current)) return true;
        if (current !== null) {
          outbox.remove(key);
          keepUndelivered(email);
        }
        return false;
      });
    },
  };
}

/** Before the first retry. The last retry is an hour and a half after the first attempt. */
const FIRST_DELAY_MS = 5000;
const OFFLINE = 'You’re offline. We’ll send your address when you’re back.';
const LONGEST_DELAY_MS = backoff(MAX_RETRIES, FIRST_DELAY_MS);

/**
 * Remaining time until a kept subscription's next attempt. A time beyond the longest delay comes from a wrong clock, so
 * the subscription is due.
 */
export function waitingTime({ nextAt }: KeptSubscription, now: number): number {
  const wait = nextAt - now;
  return wait > 0 && wait <= LONGEST_DELAY_MS ? wait : 0;
}

/**
 * Sends a kept subscription once. A temporary failure keeps it and schedules the next attempt. Any other result deletes
 * it; an undelivered address returns to the field's draft. An early retry after a network return does not count,
 * because an unstable network would use up all attempts.
 */
export async function sendSubscription(
  subscription: KeptSubscription,
  { outbox, submitForm, now, log, guestId }: SendDependencies,
): Promise<SubmitResult> {
  const { key, email, honeypot } = subscription;
  const isAhead = subscription.retries > 0 && waitingTime(subscription, now()) > 0;
  const fields = honeypot ? { [HONEYPOT_FIELD]: honeypot } : {};
  const result = await submitForm({ source: 'newsletter', email, fields, idempotencyKey: key });
  if (result.status === 'accepted') {
    outbox.remove(key);
    return result;
  }
  const reason = result.status === 'failed' ? result.message : result.errors.map((e) => e.message).join(' ');
  log.error('Error sending subscription', reason);
  const retries = subscription.retries + 1;
  if (result.status === 'failed' && isAhead) return result;
  if (result.status === 'rejected' || retries > MAX_RETRIES) {
    outbox.remove(key);
    keepUndelivered(email);
  } else {
    const nextAt = now() + backoff(retries, FIRST_DELAY_MS);
    outbox.update({ ...subscription, retries, nextAt, guest: guestId() });
  }
  return result;
}

export interface Newsletter {
  subscribe: SubscribeToNewsletter;
  resend(subscription: KeptSubscription): Promise<void>;
}

export function createNewsletter({
  document,
  ...dependencies
}: SendDependencies & { document: Document }): Newsletter {
  const { outbox, now, guestId } = dependencies;
  return {
    async subscribe(email, honeypot, onDelivery) {
      const subscription = { ...outbox.add(email.trim(), now(), honeypot), guest: guestId() };
      outbox.update(subscription);
      forgetNewsletterText(subscription.email);
      const result = await sendSubscription(subscription, dependencies);
      if (result.status !== 'accepted') {
        if (onDelivery) outbox.onDelivery(subscription.key, onDelivery);
        // A failed call shows nothing (specification, section 8), but no call can be made here.
        return document.defaultView?.navigator.onLine === false ? OFFLINE : null;
      }
      emptyNewsletterField(document, subscription.email);
      return successMessage(result);
    },
    async resend(subscription) {
      const result = await sendSubscription(subscription, dependencies);
      if (result.status !== 'accepted') return;
      const notify = outbox.takeListener(subscription.key);
      // Without a message for the visitor the text stays: it must not disappear silently.
      if (notify && emptyNewsletterField(document, subscription.email)) notify(successMessage(result));
    },
  };
}

function successMessage({ confirmation }: Extract<SubmitResult, { status: 'accepted' }>): string {
  const { title, text } = newsletterThanks[confirmation ?? 'unknown'];
  return `${title} ${text}`;
}
