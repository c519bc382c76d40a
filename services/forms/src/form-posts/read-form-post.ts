import { NewsletterFormSchema, PartnerApplicationFormSchema, ReferralFormSchema } from '@site/contract';
import type { FormName } from '@site/contract';
import * as v from 'valibot';
import { requireForm, submissionOf } from '../subscriptions/submission.ts';
import type { Submission } from '../subscriptions/submission.ts';

/** One thing to correct. */
export interface PostProblem {
  /** The field's name. */
  field: string;
  message: string;
}

/** A form that a browser posted by itself: checked, or what to correct. */
export type FormPost =
  { form: FormName; submission: Submission } | { form: FormName; problems: PostProblem[] };

/** The specification's message for the newsletter (section 5). */
const newsletterMessage = 'You need to provide a valid email to subscribe.';

/**
 * Reads a plain form post by the schema that the form's page uses.
 *
 * @throws ApiError `source_unknown`
 */
export function readFormPost(fields: URLSearchParams): FormPost {
  const form = requireForm(fields.get('source_id') ?? '');
  const given: Record<string, string> = Object.fromEntries(fields);
  // Nobody solves it without JavaScript, so nobody looks at it.
  delete given['captcha'];
  switch (form) {
    case 'newsletter': {
      const checked = v.safeParse(NewsletterFormSchema, { email: '', ...given });
      if (!checked.success) return { form, problems: [{ field: 'email', message: newsletterMessage }] };
      const { email, ...rest } = checked.output;
      return { form, submission: submissionOf(email, { form, fields: rest }) };
    }
    case 'referral': {
      const checked = v.safeParse(
        ReferralFormSchema,
        { email: '', to_emails: '', ...given },
        { abortPipeEarly: true },
      );
      if (!checked.success) return { form, problems: problemsOf(checked.issues, fields) };
      const { email, ...rest } = checked.output;
      return { form, submission: submissionOf(email, { form, fields: rest }) };
    }
    case 'partner-application': {
      const empty = { first_name: '', last_name: '', email: '', phone: '', business_name: '' };
      const checked = v.safeParse(
        PartnerApplicationFormSchema,
        { ...empty, country: '', how_heard: '', ...given, services: fields.getAll('services') },
        { abortPipeEarly: true },
      );
      if (!checked.success) return { form, problems: problemsOf(checked.issues, fields) };
      const { email, ...rest } = checked.output;
      return { form, submission: submissionOf(email, { form, fields: rest }) };
    }
  }
}

/** At most one problem per field and message; of several entries in one field, the one that is wrong is quoted. */
function problemsOf(issues: readonly v.BaseIssue<unknown>[], fields: URLSearchParams): PostProblem[] {
  const problems = new Map<string, PostProblem>();
  for (const issue of issues) {
    const [field = '', entry] = (issue.path ?? []).map(({ key }) => String(key));
    const wrong =
      entry === undefined
        ? undefined
        : fields
            .get(field)
            ?.split(/[,;\s]+/)
            .filter(Boolean)[Number(entry)];
    const message = wrong === undefined ? issue.message : `“${wrong.slice(0, 100)}”: ${issue.message}`;
    problems.set(`${field} ${message}`, { field, message });
  }
  return [...problems.values()];
}
