import { createHash } from 'node:crypto';
import { EmailSchema, formSources, HONEYPOT_FIELD, type Subscription } from '@site/contract';
import { bodyInvalid } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import * as v from 'valibot';
import { checkWithFirst, type CheckedFields, type KnownForm } from './known-form.ts';

export interface CheckedSubmission {
  form: KnownForm;
  email: string;
  formFields: string;
  suspectedSpam: boolean;
  /** The captcha's solution; empty without one. */
  captcha: string;
  contentHash: string;
  invites: { recipients: string[]; message: string };
}

/** The only form that consists of an address alone and has no captcha. */
export const isNewsletter = ({ definition }: KnownForm): boolean =>
  definition.sourceId === formSources.newsletter;
/** The only form that sends emails to others. */
export const isReferral = ({ definition }: KnownForm): boolean =>
  definition.sourceId === formSources.referral;

/**
 * Checks a subscription with its form's rules: the first form that accepts it.
 * @throws ApiError `body_invalid` with pointers such as `/form_fields/to_emails/1`
 */
export function checkSubmission(
  { email, form_fields: text, [HONEYPOT_FIELD]: honeypot }: Subscription,
  forms: readonly KnownForm[],
): CheckedSubmission {
  return checkWithFirst(forms, (form) => {
    if (isNewsletter(form)) {
      requireSameEmail(email, text);
      return createSubmission(form, email, { [HONEYPOT_FIELD]: honeypot });
    }
    const fields = parseBody(form.schemas.fields, parseObject(text), '/form_fields');
    return createSubmission(form, parseBody(form.schemas.email, email, '/email'), fields);
  });
}

export function acceptsSubmission(form: KnownForm, subscription: Subscription): boolean {
  try {
    checkSubmission(subscription, [form]);
    return true;
  } catch {
    return false;
  }
}

export function createSubmission(form: KnownForm, email: string, fields: CheckedFields): CheckedSubmission {
  // The captcha's solution is spent, and differs on a retry.
  const { captcha = '', ...stored } = fields;
  const isNewsletterEntry = isNewsletter(form);
  const formFields = isNewsletterEntry ? email : JSON.stringify(stored);
  const suspectedSpam = (fields[HONEYPOT_FIELD] ?? '') !== '';
  // Spam for an address must not prevent its owner from subscribing.
  const hashed = !isNewsletterEntry ? formFields : suspectedSpam ? 'suspected spam' : '';
  return {
    form,
    email,
    formFields: suspectedSpam && !isNewsletterEntry ? JSON.stringify(shortened(stored)) : formFields,
    suspectedSpam,
    captcha,
    contentHash: createHash('sha256')
      .update(JSON.stringify([form.definition.sourceId, email.toLowerCase(), hashed]))
      .digest('hex'),
    invites: isReferral(form) ? readInvitations(fields) : { recipients: [], message: '' },
  };
}

function readInvitations(fields: CheckedFields): CheckedSubmission['invites'] {
  const { to_emails: recipients, message = '' } = fields as { to_emails: string[]; message?: string };
  return { recipients, message };
}

function shortened(fields: object): object {
  const short = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.slice(0, 5).map(short)
      : typeof value === 'string'
        ? value.slice(0, 100)
        : value;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value)]));
}

function requireSameEmail(email: string, text: string): void {
  const given = v.safeParse(EmailSchema, text);
  if (given.success && given.output.toLowerCase() === email.toLowerCase()) return;
  throw bodyInvalid([
    { pointer: '/form_fields', detail: 'For the newsletter this text must repeat the email.' },
  ]);
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw bodyInvalid([
    { pointer: '/form_fields', detail: 'This text must be the JSON of an object with the fields.' },
  ]);
}
