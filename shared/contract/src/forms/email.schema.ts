import * as v from 'valibot';
import { maxLengths } from './form.ts';

/**
 * An email address as in the HTML standard's `<input type="email">`, with a dot in the domain and at most 254
 * characters (RFC 5321). Trimmed; the case is kept. The top-level domain must not be numeric: that would be
 * an IP address, perhaps an internal one of the mail server.
 * @param problem the message for any error. Default: a specific message.
 */
export const emailSchema = (problem?: string) =>
  v.pipe(
    v.string(problem ?? 'Enter an email address.'),
    v.trim(),
    v.nonEmpty(problem ?? 'Enter an email address.'),
    v.maxLength(maxLengths.email, problem ?? `An email address has at most ${maxLengths.email} characters.`),
    v.regex(
      /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i,
      problem ?? 'Enter an email address such as name@example.com.',
    ),
  );

export const EmailSchema = emailSchema();

/**
 * The address of a referral's sender. It is shown in emails to others, where mail programs could turn special
 * characters before the @ (slashes, question marks …) into links.
 */
export const SenderEmailSchema = v.pipe(
  EmailSchema,
  v.regex(/^[\w.+'-]{1,64}@/, 'Enter an address with only letters, digits and . _ + - before the @.'),
);

/** Splits at commas, semicolons and white space, without empty parts. */
export function splitEmails(text: string): string[] {
  return text.split(/[,;\s]+/).filter(Boolean);
}

/** An error message that names the invalid entry of a list. */
export function entryProblem(entry: string, problem: string): string {
  return `“${entry.slice(0, 100)}”: ${problem}`;
}

/** Removes case-insensitive duplicates and keeps the first spelling. */
export function uniqueEmails(emails: string[]): string[] {
  const lower = emails.map((email) => email.toLowerCase());
  return emails.filter((_, index) => lower.indexOf(lower[index] as string) === index);
}
