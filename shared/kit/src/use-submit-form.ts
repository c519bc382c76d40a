import { useSite } from './site-context.ts';
import type { SubmitForm } from './submit-form.ts';

/** The function that submits a form through the shell with the visitor's guest identity. */
export function useSubmitForm(): SubmitForm {
  return useSite().submitForm;
}
