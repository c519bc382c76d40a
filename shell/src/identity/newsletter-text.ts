import { newsletterForm } from '@site/contract/forms/newsletter';
import { typedText } from '@site/contract/typed-text';
import { formDrafts } from '@site/ui/form/form-drafts';

const { name, sourceId } = newsletterForm;

/**
 * Keeps unsent input of the newsletter field until the tab closes, and restores it like the forms of pages. Outside the
 * component, because it is not needed before hydration and the first view's scripts have no room for it.
 */
export function keepNewsletterText(document: Document): void {
  const keep = (field: HTMLInputElement) => {
    // Pasted invisible characters, which the browser's own check of an address would reject without naming them.
    const email = typedText(field.value);
    if (email !== field.value.trim()) field.value = email;
    formDrafts.keep(name, field.value ? { email: field.value } : undefined);
  };
  for (const field of document.querySelectorAll('input')) {
    if (!isNewsletterField(field)) continue;
    // Input from before this code loaded, and values that the browser restored, are newer.
    field.value ||= String(formDrafts.read(name)?.['email'] ?? '');
    keep(field);
  }
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && isNewsletterField(target)) keep(target);
  });
}

/**
 * Clears the field after delivery, unless it contains another address by now. @returns whether it contained this one.
 */
export function emptyNewsletterField(document: Document, email: string): boolean {
  const field = [...document.querySelectorAll('input')].find(isNewsletterField);
  if (field?.value.trim() !== email) return false;
  field.value = '';
  return true;
}

/** The outbox keeps this address until delivery. The field may contain another one by now. */
export function forgetNewsletterText(email: string): void {
  if (String(formDrafts.read(name)?.['email']).trim() === email) formDrafts.clear(name);
}

/** Keeps an address that cannot be delivered, unless another one was entered since. */
export function keepUndelivered(email: string): void {
  if (!formDrafts.read(name)) formDrafts.keep(name, { email });
}

function isNewsletterField({ type, form }: HTMLInputElement): boolean {
  const source = form?.elements.namedItem('source_id');
  return type === 'email' && source instanceof HTMLInputElement && source.value === sourceId;
}
