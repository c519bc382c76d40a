import type { Report } from '@site/contract/signals/report.schema';

/** Says in the page that a form was sent, was refused, or could not be sent: the code that sends and the code that tells come apart, and late. */
export const FORM_TOLD = 'site:form';

export type FormTold = Omit<Extract<Report, { kind: 'form' }>, 'view'>;

/** @param page the window that both are in. */
export function tellForm(page: EventTarget, detail: FormTold): void {
  page.dispatchEvent(new CustomEvent(FORM_TOLD, { detail }));
}
