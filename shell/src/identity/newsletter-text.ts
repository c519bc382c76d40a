import { newsletterForm } from '@site/contract/forms/newsletter';
import { formDrafts } from '@site/ui/form/form-drafts';

const { name, sourceId } = newsletterForm;

/**
 * Keeps what is typed into the newsletter's field until the tab is closed, and puts it back, as the forms of pages do. From outside
 * of the component: nobody needs it before the page answers, and the scripts of the first view have no room for it.
 */
export function keepNewsletterText(document: Document): void {
  const keep = ({ value }: HTMLInputElement) => formDrafts.keep(name, value ? { email: value } : undefined);
  for (const field of document.querySelectorAll('input')) {
    if (!isNewsletterField(field)) continue;
    // What was typed before this code arrived, or what the browser put back, is newer.
    field.value ||= String(formDrafts.read(name)?.['email'] ?? '');
    keep(field);
  }
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && isNewsletterField(target)) keep(target);
  });
}

/** An address has arrived. Another one may have been entered meanwhile: that one stays. @returns whether it stood in the field. */
export function emptyNewsletterField(document: Document, email: string): boolean {
  const field = [...document.querySelectorAll('input')].find(isNewsletterField);
  if (field?.value.trim() !== email) return false;
  field.value = '';
  return true;
}

/** This address is kept elsewhere until it has arrived. Another one may have been typed since it was sent. */
export function forgetNewsletterText(email: string): void {
  if (String(formDrafts.read(name)?.['email']).trim() === email) formDrafts.clear(name);
}

function isNewsletterField({ type, form }: HTMLInputElement): boolean {
  const source = form?.elements.namedItem('source_id');
  return type === 'email' && source instanceof HTMLInputElement && source.value === sourceId;
}
