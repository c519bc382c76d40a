import { createHash } from 'node:crypto';
import {
  EmailSchema,
  formOfSource,
  HONEYPOT_FIELD,
  PartnerApplicationFieldsSchema,
  ReferralFieldsSchema,
} from '@site/contract';
import type { FormName, Subscription } from '@site/contract';
import { bodyInvalid } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import * as v from 'valibot';
import { formsErrors } from '../errors.ts';

/** A submission whose fields have been checked by the rules of its form. */
export interface Submission {
  form: FormName;
  /** What is kept of `form_fields`: the e-mail for the newsletter, JSON text for the other forms. */
  formFields: string;
  suspectedSpam: boolean;
  /** The same for two submissions that say the same. */
  contentHash: string;
}

const fieldSchemas = {
  referral: ReferralFieldsSchema,
  'partner-application': PartnerApplicationFieldsSchema,
} as const;

/**
 * Checks a subscription by the rules of its form.
 *
 * @throws ApiError `source_unknown`, `body_invalid` with pointers such as `/form_fields/to_emails/1`
 */
export function checkSubmission({ source_id, email, form_fields }: Subscription): Submission {
  const form = formOfSource(source_id);
  if (!form) {
    throw formsErrors.source_unknown('There is no form with this "source_id".', {
      source: { pointer: '/source_id' },
    });
  }
  const { text, honeypot } =
    form === 'newsletter' ? newsletterFields(email, form_fields) : jsonFields(form, form_fields);
  return {
    form,
    formFields: text,
    suspectedSpam: honeypot !== '',
    contentHash: createHash('sha256')
      .update(JSON.stringify([source_id, email.toLowerCase(), form === 'newsletter' ? '' : text]))
      .digest('hex'),
  };
}

function newsletterFields(email: string, text: string): { text: string; honeypot: string } {
  const given = v.safeParse(EmailSchema, text);
  if (!given.success || given.output.toLowerCase() !== email.toLowerCase()) {
    throw bodyInvalid([
      { pointer: '/form_fields', detail: 'For the newsletter this text is the e-mail once more.' },
    ]);
  }
  return { text: email, honeypot: '' };
}

function jsonFields(form: keyof typeof fieldSchemas, text: string): { text: string; honeypot: string } {
  const fields = parseBody(fieldSchemas[form], objectIn(text), '/form_fields');
  // The captcha's solution has done its work, and is another one when the form is sent again.
  delete fields.captcha;
  return { text: JSON.stringify(fields), honeypot: fields[HONEYPOT_FIELD] ?? '' };
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below, as any other text that holds no object.
  }
  throw bodyInvalid([
    { pointer: '/form_fields', detail: 'This text is the JSON of an object with the fields.' },
  ]);
}
