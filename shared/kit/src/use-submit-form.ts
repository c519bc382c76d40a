import { useSite } from './site-context.ts';
import type { SubmitForm } from './submit-form.ts';

export function useSubmitForm(): SubmitForm {
  return useSite().submitForm;
}
