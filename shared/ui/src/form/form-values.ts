import { HONEYPOT_FIELD } from '@site/contract/forms/form-sources';
import type { FormDefinition } from '@site/contract/forms/form';
import type { FormValues } from './check-form.ts';

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

/**
 * Messages must not contain links, and mail programs turn a name such as "Acme.io" into one. A hair space prevents it;
 * invisible characters would be removed.
 */
const unlinked = (name: string) => name.replaceAll('.', '.\u200A');

/** The current values of a form. `initial` defines the fields and which of them are lists. */
export function readValues(form: HTMLFormElement, initial: FormValues): FormValues {
  const data = new FormData(form);
  return Object.fromEntries(
    Object.entries(initial).map(([name, first]) => {
      const entries = data.getAll(name).map(String);
      return [name, typeof first === 'string' ? (entries[0] ?? '') : entries];
    }),
  );
}

export function isSame(some: FormValues, other: FormValues): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}

/** Restores a draft into unchanged fields. Newer input stays. */
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
