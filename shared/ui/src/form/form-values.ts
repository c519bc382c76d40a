import { HONEYPOT_FIELD } from '@site/contract/form-sources';
import type { FormDefinition } from '@site/contract/forms/form';
import type { FormValues } from './check-form.ts';

/**
 * What stands in a form at first, hidden fields too, in the order of the page.
 *
 * @param brand the name that the site goes by.
 */
export function firstValues({ fields }: FormDefinition, brand: string): FormValues {
  const first = Object.entries(fields).map(([name, field]) => {
    if (field.kind === 'checkboxes') return [name, []] as const;
    return [
      name,
      field.kind === 'message' ? (field.first?.replaceAll('{brand}', unlinked(brand)) ?? '') : '',
    ] as const;
  });
  return { ...Object.fromEntries<FormValues[string]>(first), captcha: '', [HONEYPOT_FIELD]: '' };
}

/** No message may hold a link, and of a name such as "Acme.io" mail programs make one. Nobody sees what keeps them from it: a space without width. */
const unlinked = (name: string) => name.replaceAll('.', '.\u200B');

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
