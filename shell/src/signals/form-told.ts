import type { Report } from '@site/contract/signals/report.schema';

/**
 * Reports a form's result within the page (sent, refused or failed), because the sending and the reporting code load
 * separately and late.
 */
export const FORM_TOLD = 'site:form';

export type FormTold = Omit<Extract<Report, { kind: 'form' }>, 'view'>;

export function tellForm(page: EventTarget, detail: FormTold): void {
  page.dispatchEvent(new CustomEvent(FORM_TOLD, { detail }));
}
