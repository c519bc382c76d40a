import type { FormValues } from './check-form.ts';

/** What visitors have typed, by form, for as long as the tab stays on the site: coming back to a page finds it again. */
export interface FormDrafts {
  read(form: string): FormValues | undefined;
  keep(form: string, values: FormValues): void;
  /**
   * The idempotency key for sending these values: the same at each try, so that a double click or a retry after a lost
   * answer is stored once. Changed values are another submission and get another key; the service would otherwise drop
   * the correction as a repetition.
   */
  keyOf(form: string, values: FormValues): string;
  /** Forgets a form that has arrived. */
  clear(form: string): void;
}

interface Sent {
  content: string;
  key: string;
}

const prefix = 'form:';

/**
 * The last try of each form, which outlives a reload: whoever never saw the answer and sends the same again is stored
 * once. Where the browser allows no session storage, or it is full, it lasts as long as the page.
 */
function createSentForms() {
  const memory = new Map<string, Sent>();
  const stored = <Result>(use: (storage: Storage) => Result): Result | undefined => {
    try {
      return use(sessionStorage);
    } catch {
      return undefined;
    }
  };
  return {
    get: (form: string): Partial<Sent> | null | undefined =>
      memory.get(form) ??
      stored((storage) => JSON.parse(storage.getItem(prefix + form) ?? 'null') as Partial<Sent> | null),
    set(form: string, sent: Sent) {
      memory.set(form, sent);
      stored((storage) => storage.setItem(prefix + form, JSON.stringify(sent)));
    },
    delete(form: string) {
      memory.delete(form);
      stored((storage) => storage.removeItem(prefix + form));
    },
  };
}

export function createFormDrafts(uuid: () => string = () => crypto.randomUUID()): FormDrafts {
  const drafts = new Map<string, FormValues>();
  const sent = createSentForms();
  return {
    read: (form) => drafts.get(form),
    keep: (form, values) => void drafts.set(form, values),
    keyOf(form, values) {
      const content = JSON.stringify(values);
      const last = sent.get(form);
      if (last?.content === content && last.key) return last.key;
      const key = uuid();
      sent.set(form, { content, key });
      return key;
    },
    clear(form) {
      drafts.delete(form);
      sent.delete(form);
    },
  };
}

export const formDrafts: FormDrafts = createFormDrafts();
