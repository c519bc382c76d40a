import * as v from 'valibot';
import { typedEmail } from '../typed-text.ts';
import { maxLengths } from './form.ts';

/**
 * An email address as in the HTML standard's `<input type="email">`, with a dot in the domain and at most 254
 * characters (RFC 5321). Normalized (`typedEmail`); the case is kept. The top-level domain must not be numeric:
 * that would be an IP address, perhaps an internal one of the mail server.
 * @param problem the message for any error. Default: a specific message.
 * @param explain adds to the specific messages, which concern `entry`.
 */
export const emailSchema = (
  problem?: string,
  explain: (entry: string, message: string) => string = (_entry, message) => message,
) => {
  const message =
    (specific: string) =>
    ({ input }: { input: unknown }) =>
      problem ?? explain(String(input), specific);
  return v.pipe(
    v.string(problem ?? 'Enter an email address.'),
    v.transform(typedEmail),
    v.nonEmpty(problem ?? 'Enter an email address.'),
    v.maxLength(maxLengths.email, message(`An email address has at most ${maxLengths.email} characters.`)),
    v.regex(
      /^[ -~]*(?:@[^@]*)?$/,
      message('Before the @, use only letters without accents, digits and signs such as . _ + -.'),
    ),
    v.regex(
      /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i,
      message('Enter an email address such as name@example.com.'),
    ),
  );
};

export const EmailSchema = emailSchema();

/**
 * The address of a referral's sender. It is shown in emails to others, where mail programs could turn special
 * characters before the @ (slashes, question marks …) into links.
 */
export const SenderEmailSchema = v.pipe(
  EmailSchema,
  v.regex(/^[\w.+'-]{1,64}@/, 'Enter an address with only letters, digits and . _ + - before the @.'),
);

function entryProblem(entry: string, problem: string): string {
  return `“${entry.slice(0, 100)}”: ${problem}`;
}

/** An entry of a list: its messages name it. */
export const EntrySchema = emailSchema(undefined, entryProblem);

export function uniqueEmails(emails: string[]): string[] {
  const lower = emails.map((email) => email.toLowerCase());
  return emails.filter((_, index) => lower.indexOf(lower[index] as string) === index);
}
