import type { ReferralConfirmation } from '@site/contract/referral-thanks';

/** One filled-in form on its way to the forms service. */
export interface FormSubmission {
  /** The name of one of the site's forms, or the identifier of one that a remote declares. The service takes no others. */
  source: string;
  email: string;
  /** Every other field, by name. Kept as the submission's `form_fields`. */
  fields: Record<string, unknown>;
  /** One value per filled-in form: a second submission with the same key is stored once. */
  idempotencyKey: string;
}

/**
 * What became of a submission. `accepted`: it is stored, and `confirmation` says how a referral's sender is asked to confirm
 * it (missing: the service did not say). `rejected` names fields to correct; `failed` means try again, nothing was stored.
 */
export type SubmitResult =
  | { status: 'accepted'; confirmation?: ReferralConfirmation }
  | { status: 'rejected'; errors: { field: string | null; message: string }[] }
  | { status: 'failed'; message: string };

/** Sends a form through the shell to the forms service. Never rejects. */
export type SubmitForm = (submission: FormSubmission) => Promise<SubmitResult>;
