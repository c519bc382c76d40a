import { createHash } from 'node:crypto';
import {
  EmailSchema,
  formOfSource,
  formSources,
  HONEYPOT_FIELD,
  siteFormSchemas,
  type FormName,
  type Subscription,
} from '@site/contract';
import { bodyInvalid } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import * as v from 'valibot';
import { formsErrors } from '../errors.ts';

/** A submission whose fields have been checked by the rules of its form. */
export interface Submission {
  form: FormName;
  email: string;
  /** What is kept of `form_fields`: the e-mail for the newsletter, JSON text for the other forms. */
  formFields: string;
  suspectedSpam: boolean;
  /** The captcha's solution; empty without one. */
  captcha: string;
  /** The same for two submissions that say the same. */
  contentHash: string;
  /** Whom an accepted submission invites, and the words. */
  invites: { recipients: string[]; message: string };
}

/** The fields of a form beside its address, as its schema gives them. */
type CheckedFields = v.InferOutput<(typeof siteFormSchemas)[FormName]['fields']>;

/** @throws ApiError `source_unknown` */
export function requireForm(sourceId: string): FormName {
  const form = formOfSource(sourceId);
  if (form) return form;
  throw formsErrors.source_unknown('There is no form with this "source_id".', {
    source: { pointer: '/source_id' },
  });
}

/**
 * Checks a subscription by the rules of its form.
 *
 * @throws ApiError `source_unknown`, `body_invalid` with pointers such as `/form_fields/to_emails/1`
 */
export function checkSubmission({
  source_id,
  email,
  form_fields: text,
  [HONEYPOT_FIELD]: honeypot,
}: Subscription): Submission {
  const form = requireForm(source_id);
  if (form === 'newsletter') {
    requireEmailAgain(email, text);
    return submissionOf(form, email, { [HONEYPOT_FIELD]: honeypot });
  }
  const schemas = siteFormSchemas[form];
  const fields = parseBody(schemas.fields, objectIn(text), '/form_fields');
  return submissionOf(form, parseBody(schemas.email, email, '/email'), fields);
}

/** What is made of checked fields, whichever way they came. */
export function submissionOf(form: FormName, email: string, fields: CheckedFields): Submission {
  // The captcha's solution has done its work, and is another one when the form is sent again.
  const { captcha = '', ...kept } = fields;
  const formFields = form === 'newsletter' ? email : JSON.stringify(kept);
  const suspectedSpam = (fields[HONEYPOT_FIELD] ?? '') !== '';
  // A program that subscribes somebody's address must not keep that person from doing so.
  const said = form !== 'newsletter' ? formFields : suspectedSpam ? 'suspected spam' : '';
  return {
    form,
    email,
    formFields: suspectedSpam && form !== 'newsletter' ? JSON.stringify(shortened(kept)) : formFields,
    suspectedSpam,
    captcha,
    contentHash: createHash('sha256')
      .update(JSON.stringify([formSources[form], email.toLowerCase(), said]))
      .digest('hex'),
    invites:
      'to_emails' in fields
        ? { recipients: fields.to_emails, message: fields.message ?? '' }
        : { recipients: [], message: '' },
  };
}

/** Of what a program sent, enough to see what it was. */
function shortened(fields: object): object {
  const short = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.slice(0, 5).map(short)
      : typeof value === 'string'
        ? value.slice(0, 100)
        : value;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value)]));
}

function requireEmailAgain(email: string, text: string): void {
  const given = v.safeParse(EmailSchema, text);
  if (given.success && given.output.toLowerCase() === email.toLowerCase()) return;
  throw bodyInvalid([
    { pointer: '/form_fields', detail: 'For the newsletter this text is the e-mail once more.' },
  ]);
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
