import { randomKey } from '@site/contract/random-key';
import type { FormValues } from './check-form.ts';

/**
 * The visitors' unsent input by form. It lives as long as the tab: it survives a navigation and a new document (a
 * reload, a revoked release).
 */
export interface FormDrafts {
  read(form: string): FormValues | undefined;
  keep(form: string, values: FormValues | undefined): void;
  /**
   * The idempotency key for these values. It is the same for each attempt, so that a double click or a retry after a
   * lost response is stored once. Changed values get another key, because the service would drop the correction as a
   * duplicate.
   */
  idempotencyKey(form: string, values: FormValues): string;
  clear(form: string): void;
}

interface Kept {
  values?: FormValues | undefined;
  /** The last attempt. If its response was lost, a retry of the same content is stored once. */
  sent?: { content: string; key: string } | undefined;
}

const prefix = 'form:';

/** @returns an empty draft if session storage is unavailable or its entry is invalid. */
function readStored(form: string): Kept {
  try {
    const { values, sent } = JSON.parse(sessionStorage.getItem(prefix + form) ?? '{}') as Kept;
    return { values: values ?? undefined, sent: sent ?? undefined };
  } catch {
    return {};
  }
}

/** @returns false if session storage is unavailable or full. */
function store(form: string, kept: Kept): boolean {
  try {
    if (kept.values || kept.sent) sessionStorage.setItem(prefix + form, JSON.stringify(kept));
    else sessionStorage.removeItem(prefix + form);
    return true;
  } catch {
    return false;
  }
}

export function createFormDrafts(createKey: () => string = randomKey): FormDrafts {
  /**
   * Only drafts that storage rejected. The tab's other documents, alive in the back/forward cache, write to the same
   * storage.
   */
  const unstored = new Map<string, Kept>();

  const get = (form: string) => unstored.get(form) ?? readStored(form);

  function set(form: string, kept: Kept): void {
    if (store(form, kept)) unstored.delete(form);
    else unstored.set(form, kept);
  }

  return {
    read: (form) => get(form).values,
    keep(form, values) {
      set(form, { ...get(form), values });
    },
    idempotencyKey(form, values) {
      const content = JSON.stringify(values);
      const kept = get(form);
      if (kept.sent?.content === content && kept.sent.key) return kept.sent.key;
      const key = createKey();
      set(form, { ...kept, sent: { content, key } });
      return key;
    },
    clear(form) {
      const { values, sent } = get(form);
      set(form, sent && JSON.stringify(values) !== sent.content ? { values } : {});
    },
  };
}

export const formDrafts: FormDrafts = createFormDrafts();
