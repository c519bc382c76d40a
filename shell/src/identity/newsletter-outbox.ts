/** A subscription that has not arrived yet. `key` is its idempotency key: however often it is sent, it is stored once. */
export interface KeptSubscription {
  key: string;
  email: string;
  /** What stood in the form's hidden field: only programs fill it in. */
  honeypot?: string;
  retries: number;
  /** When to try again, in ms since the epoch. */
  nextAt: number;
}

/** Subscriptions on their way, kept in the browser so that a reload or a closed tab loses none. */
export interface NewsletterOutbox {
  /** Keeps a subscription before it is sent; the one that is already kept for the same, if there is one. */
  add(email: string, now: number, honeypot?: string): KeptSubscription;
  all(): KeptSubscription[];
  /** Changes a subscription that is still kept; one that arrived meanwhile stays gone. */
  update(subscription: KeptSubscription): void;
  remove(key: string): void;
}

const PREFIX = 'newsletter:';

/** No retry takes up a subscription while its first sending is still under way. */
const FIRST_SENDING_MS = 60_000;

function parse(key: string, text: string | null): KeptSubscription | null {
  try {
    const { email, honeypot, retries, nextAt } = JSON.parse(text ?? 'null') as Partial<KeptSubscription>;
    if (typeof email !== 'string' || !Number.isFinite(retries) || !Number.isFinite(nextAt)) return null;
    return {
      key,
      email,
      ...(typeof honeypot === 'string' && honeypot ? { honeypot } : {}),
      retries: Number(retries),
      nextAt: Number(nextAt),
    };
  } catch {
    return null;
  }
}

/** A `Storage` for where the browser allows none: it lasts as long as the page. */
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

/** Each subscription has an entry of its own, so that tabs never overwrite each other's. */
export function createNewsletterOutbox(storage: Storage, uuid: () => string): NewsletterOutbox {
  // What the storage has no room for lasts as long as the page.
  const overflow = createMemoryStorage();

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
      return subscription;
    },
    all: () => [...list(storage), ...list(overflow)].sort((a, b) => a.nextAt - b.nextAt),
    update(subscription) {
      if (outbox.all().some(({ key }) => key === subscription.key)) put(subscription);
    },
    remove(key) {
      storage.removeItem(PREFIX + key);
      overflow.removeItem(PREFIX + key);
    },
  };
  return outbox;
}
