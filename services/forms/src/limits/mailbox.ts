import { sql, type RawBuilder } from 'kysely';

/**
 * Whose mailbox an address is, in the spelling that all its spellings share: lower case, and without what stands behind
 * a plus, which servers leave to the owner (RFC 5233).
 */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** `mailboxOf` the address in a column, in the database. */
export const mailboxIn = (column: string): RawBuilder<string> =>
  sql<string>`regexp_replace(lower(${sql.ref(column)}), '^([^+@]+)\\+[^@]*@', '\\1@')`;

/** The domain of an address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
