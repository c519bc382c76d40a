import type { SiteConfig } from '@site/contract';
import { MAX_RETRIES } from '@site/contract/http';
import { randomKey } from '@site/contract/random-key';
import type { GuestView, SiteServices } from '@site/kit/host';
import type { Identity } from '../identity/create-identity.ts';
import {
  createMemoryStorage,
  createNewsletterOutbox,
  type NewsletterOutbox,
} from '../identity/newsletter-outbox.ts';
import { retryDelay } from '../identity/retry-delay.ts';
import { storageIfAllowed } from '../identity/storage-if-allowed.ts';

/** The part of the guest identity that the shell needs before its code has loaded. */
export interface LazyIdentity extends Pick<SiteServices, 'guest' | 'submitForm'> {
  subscribeToNewsletter: Identity['subscribeToNewsletter'];
  start(): void;
}

const unknown: GuestView = { guestId: null };

/** Runs `task` once: after 2 s, 4 s, … (at most ten times), and whenever the network returns. */
function tryAgain(attempt: number, task: () => void): void {
  const timer =
    attempt > MAX_RETRIES || !navigator.onLine ? undefined : setTimeout(again, retryDelay(attempt));
  window.addEventListener('online', again);
  function again() {
    clearTimeout(timer);
    window.removeEventListener('online', again);
    task();
  }
}

export function createLazyIdentity(load: (outbox: NewsletterOutbox) => Promise<Identity>): LazyIdentity {
  const listeners = new Set<() => void>();
  /** In this chunk, because an address must survive a reload even if the identity's code never loads. */
  const outbox = createNewsletterOutbox(storageIfAllowed('localStorage') ?? createMemoryStorage(), randomKey);
  let loaded: Identity | null = null;
  let loading: Promise<Identity> | null = null;

  function identity(): Promise<Identity> {
    loading ??= load(outbox).then(
      (arrived) => {
        loaded = arrived;
        arrived.guest.subscribe(() => {
          for (const listener of listeners) listener();
        });
        arrived.start();
        for (const listener of listeners) listener();
        return arrived;
      },
      (error: unknown) => {
        loading = null; // retried on the next use
        throw error;
      },
    );
    return loading;
  }

  function start(attempt = 1): void {
    identity().catch((error: unknown) => {
      console.error('The guest identity could not be loaded.', error);
      // The network may have failed just after the page loaded. Without a retry there is no guest until the next visit.
      tryAgain(attempt, () => start(attempt + 1));
    });
  }

  return {
    guest: {
      get: () => loaded?.guest.get() ?? unknown,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async submitForm(submission) {
      try {
        return await (await identity()).submitForm(submission);
      } catch {
        return {
          status: 'failed',
          message: 'Part of the site did not load. Check your connection and send again.',
        };
      }
    },
    async subscribeToNewsletter(email, honeypot, onDelivery) {
      // Kept until the identity's code loads, which sends it with the same key.
      const kept = loaded ? null : outbox.add(email.trim(), Date.now(), honeypot);
      try {
        return await (await identity()).subscribeToNewsletter(email, honeypot, onDelivery);
      } catch (error) {
        console.error('Error subscribing', error);
        if (kept) outbox.update({ ...kept, nextAt: Date.now() });
        if (kept && onDelivery) outbox.onDelivery(kept.key, onDelivery);
        tryAgain(1, start);
        return null;
      }
    },
    start: () => start(),
  };
}

export async function loadIdentity(config: SiteConfig, outbox: NewsletterOutbox): Promise<Identity> {
  const { createIdentity } = await import(
    /* webpackChunkName: "identity" */ '../identity/create-identity.ts'
  );
  return createIdentity({ config, outbox });
}
