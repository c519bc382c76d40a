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

/** @returns an empty draft where the browser allows no session storage, or it holds something else. */
function readStored(form: string): Kept {
  try {
    const { values, sent } = JSON.parse(sessionStorage.getItem(prefix + form) ?? '{}') as Kept;
    return { values: values ?? undefined, sent: sent ?? undefined };
  } catch {
    return {};
  }
}

/** @returns false where the browser allows no session storage, or it is full. */
function store(form: string, kept: Kept): boolean {
  try {
    if (kept.values || kept.sent) sessionStorage.setItem(prefix + form, JSON.stringify(kept));
    else sessionStorage.removeItem(prefix + form);
    return true;
  } catch {
    return false;
  }
}

export function createFormDrafts(uuid: () => string = () => crypto.randomUUID()): FormDrafts {
  /** Only drafts that cannot be stored: other documents of the tab, alive in the back/forward cache, store theirs. */
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
