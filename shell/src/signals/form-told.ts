/** Says in the page that a form was sent, or could not be: the code that sends and the code that tells come apart, and late. */
const FORM_TOLD = 'site:form';

export function tellForm(isSent: boolean): void {
  dispatchEvent(new CustomEvent(FORM_TOLD, { detail: isSent }));
}

export function onFormTold(listener: (isSent: boolean) => void): void {
  addEventListener(FORM_TOLD, (event) => listener((event as CustomEvent<boolean>).detail));
}
