export interface KeptSubscription {
  key: string;
  email: string;
  honeypot?: string;
  retries: number;
  nextAt: number;
  /** The guest who subscribed. */
  guest?: string | null;
}

type DeliveryListener = (message: string) => void;

export interface NewsletterOutbox {
  add(email: string, now: number, honeypot?: string): KeptSubscription;
  all(): KeptSubscription[];
  isOwn(key: string): boolean;
  update(subscription: KeptSubscription): void;
  onDelivery(key: string, listener: DeliveryListener): void;
  takeListener(key: string): DeliveryListener | undefined;
  remove(key: string): void;
}

const PREFIX = 'newsletter:';

/** No retry sends a subscription while its first attempt is in progress. */
const FIRST_SENDING_MS = 60_000;

function parse(key: string, text: string | null): KeptSubscription | null {
  try {
    const kept = JSON.parse(text ?? 'null') as KeptSubscription;
    const isValid =
      typeof kept.email === 'string' && Number.isFinite(kept.retries) && Number.isFinite(kept.nextAt);
    return isValid ? { ...kept, key } : null;
  } catch {
    return null;
  }
}

export function createMemoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

/** One entry per subscription, so that tabs never overwrite each other's. */
export function createNewsletterOutbox(storage: Storage, uuid: () => string): NewsletterOutbox {
  // Subscriptions that exceed the storage quota last as long as the page.
  const overflow = createMemoryStorage();
  const listeners = new Map<string, DeliveryListener>();
  const own = new Set<string>();

  const put = ({ key, ...rest }: KeptSubscription) => {
    try {
      storage.setItem(PREFIX + key, JSON.stringify(rest));
    } catch {
      overflow.setItem(PREFIX + key, JSON.stringify(rest));
    }
  };
  const list = (from: Storage) =>
    Array.from({ length: from.length }, (_, index) => from.key(index) ?? '')
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => parse(name.slice(PREFIX.length), from.getItem(name)))
      .filter((subscription) => subscription !== null);

  const outbox: NewsletterOutbox = {
    add(email, now, honeypot = '') {
      const kept = outbox.all().find((other) => other.email === email && (other.honeypot ?? '') === honeypot);
      const fresh = () => ({ key: uuid(), email, ...(honeypot && { honeypot }), retries: 0 });
      const subscription = { ...(kept ?? fresh()), nextAt: now + FIRST_SENDING_MS };
      put(subscription);
      own.add(subscription.key);
      return subscription;
    },
    isOwn: (key) => own.has(key),
    all: () => [...list(storage), ...list(overflow)].sort((a, b) => a.nextAt - b.nextAt),
    update(subscription) {
      if (outbox.all().some(({ key }) => key === subscription.key)) put(subscription);
    },
    onDelivery: (key, listener) => void listeners.set(key, listener),
    takeListener(key) {
      const listener = listeners.get(key);
      listeners.delete(key);
      return listener;
    },
    remove(key) {
      storage.removeItem(PREFIX + key);
      overflow.removeItem(PREFIX + key);
    },
  };
  return outbox;
}
