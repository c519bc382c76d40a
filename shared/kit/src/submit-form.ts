import type { ReferralConfirmation } from '@site/contract/forms/form-messages';

export interface FormSubmission {
  source: string;
  email: string;
  /** All other fields by name. Stored as the submission's `form_fields`. */
  fields: Record<string, unknown>;
  /** One value per filled-in form: a retry with the same key is stored once. */
  idempotencyKey: string;
}

/**
 * The result of a submission. `accepted`: stored; `confirmation` is the state of a referral's confirmation
 * (missing: not reported). `rejected` has field errors; `failed` means try again, nothing was stored.
 */
export type SubmitResult =
  | { status: 'accepted'; confirmation?: ReferralConfirmation }
  | { status: 'rejected'; errors: { field: string | null; message: string }[] }
  | { status: 'failed'; message: string };

/** Submits a form through the shell to the forms service. Never rejects. */
export type SubmitForm = (submission: FormSubmission) => Promise<SubmitResult>;
