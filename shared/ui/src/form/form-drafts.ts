import type { FormValues } from './check-form.ts';

/**
 * What visitors have typed, by form, for as long as the tab stays open: coming back to a page finds it again, also when the
 * document was left meanwhile (a reload, a release that was revoked).
 */
export interface FormDrafts {
  read(form: string): FormValues | undefined;
  /** @param values undefined: the form is as it was at first */
  keep(form: string, values: FormValues | undefined): void;
  /**
   * The idempotency key for sending these values: the same at each try, so that a double click or a retry after a lost
   * answer is stored once. Changed values are another submission and get another key; the service would otherwise drop
   * the correction as a repetition.
   */
  keyOf(form: string, values: FormValues): string;
  /** Forgets a form that has arrived; what was typed since it was sent stays, as the draft of another one. */
  clear(form: string): void;
}

interface Kept {
  values?: FormValues | undefined;
  /** The last try: when its answer was lost and the same is sent again, it is stored once. */
  sent?: { content: string; key: string } | undefined;
}

const prefix = 'form:';

/** Undefined where the browser allows no session storage, or it is full, or holds something else. */
function stored<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

export function createFormDrafts(uuid: () => string = () => crypto.randomUUID()): FormDrafts {
  /** What cannot be stored lasts as long as the document. */
  const memory = new Map<string, Kept>();

  function get(form: string): Kept {
    const known = memory.get(form);
    if (known) return known;
    const { values, sent } =
      stored((storage) => JSON.parse(storage.getItem(prefix + form) ?? '{}') as Kept) ?? {};
    return { values: values ?? undefined, sent: sent ?? undefined };
  }

  function set(form: string, kept: Kept): void {
    memory.set(form, kept);
    stored((storage) => {
      if (kept.values || kept.sent) storage.setItem(prefix + form, JSON.stringify(kept));
      else storage.removeItem(prefix + form);
    });
  }

  return {
    read: (form) => get(form).values,
    keep(form, values) {
      set(form, { ...get(form), values });
    },
    keyOf(form, values) {
      const content = JSON.stringify(values);
      const kept = get(form);
      if (kept.sent?.content === content && kept.sent.key) return kept.sent.key;
      const key = uuid();
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
