import type { FormValues } from './check-form.ts';

/** What stands in the fields of a form. `initial` names them, and says which of them are lists. */
export function readValues(form: HTMLFormElement, initial: FormValues): FormValues {
  const data = new FormData(form);
  return Object.fromEntries(
    Object.entries(initial).map(([name, first]) => {
      const entries = data.getAll(name).map(String);
      return [name, typeof first === 'string' ? (entries[0] ?? '') : entries];
    }),
  );
}

/** Whether a form holds the same in both. */
export function isSame(some: FormValues, other: FormValues): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}

/** Puts a draft into the fields that nobody has touched yet; what was typed meanwhile stays. */
export function fillInDraft(form: HTMLFormElement, initial: FormValues, draft: FormValues): void {
  const current = readValues(form, initial);
  const controls = [...form.elements] as HTMLInputElement[];
  for (const [name, first] of Object.entries(initial)) {
    const value = draft[name];
    const fits = value !== undefined && Array.isArray(value) === Array.isArray(first);
    if (!fits || !isSame({ [name]: first }, { [name]: current[name] ?? '' })) continue;
    for (const control of controls.filter((each) => each.name === name)) {
      if (/^(checkbox|radio)$/.test(control.type)) control.checked = [value].flat().includes(control.value);
      else control.value = String(value);
    }
  }
}
