import * as v from 'valibot';
import { maxLengths } from './forms/form.ts';

/**
 * An email address as the HTML standard's `<input type="email">` takes it, with a dot in the domain and at most 254
 * characters (RFC 5321). Trimmed; the case is kept. A domain does not end in digits alone: that would be the address of a
 * machine, perhaps one that only the mail server reaches.
 *
 * @param problem said whatever is wrong. Default: what exactly is wrong.
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
 * The address of a sender of referrals. It is shown in mails to others, where a program may take what the part before the @
 * may hold elsewhere (slashes, question marks …) for a link.
 */
export const SenderEmailSchema = v.pipe(
  EmailSchema,
  v.regex(/^[\w.+'-]{1,64}@/, 'Enter an address with only letters, digits and . _ + - before the @.'),
);

/** Splits text into addresses at commas, semicolons and white space, leaving out empty parts. */
export function splitEmails(text: string): string[] {
  return text.split(/[,;\s]+/).filter(Boolean);
}

/** What is wrong with one of several entries in a field, which it names. */
export function entryProblem(entry: string, problem: string): string {
  return `“${entry.slice(0, 100)}”: ${problem}`;
}

/** The addresses without repetitions; `A@x.com` repeats `a@x.com`. The first spelling stays. */
export function uniqueEmails(emails: string[]): string[] {
  const lower = emails.map((email) => email.toLowerCase());
  return emails.filter((_, index) => lower.indexOf(lower[index] as string) === index);
}
