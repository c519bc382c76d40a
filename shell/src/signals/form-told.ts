/** Says in the page that a form was sent, or could not be: the code that sends and the code that tells come apart, and late. */
const FORM_TOLD = 'site:form';

/** @param page the window that both are in. */
export function tellForm(page: EventTarget, isSent: boolean): void {
  page.dispatchEvent(new CustomEvent(FORM_TOLD, { detail: isSent }));
}

export function onFormTold(listener: (isSent: boolean) => void): void {
  addEventListener(FORM_TOLD, (event) => listener((event as CustomEvent<boolean>).detail));
}
