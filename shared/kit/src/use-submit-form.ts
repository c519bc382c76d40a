import { useSite } from './site-context.ts';
import type { SubmitForm } from './submit-form.ts';

/** Gives the function that sends a filled-in form through the shell, with the visitor's guest identity. */
export function useSubmitForm(): SubmitForm {
  return useSite().submitForm;
}
