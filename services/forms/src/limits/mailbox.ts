import { sql, type RawBuilder } from 'kysely';

/**
 * The canonical spelling of an address's mailbox: lower case, without the part after a plus sign, which
 * belongs to the owner (RFC 5233).
 */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** `mailboxOf` in SQL. */
export const mailboxIn = (column: string): RawBuilder<string> =>
  sql<string>`regexp_replace(lower(${sql.ref(column)}), '^([^+@]+)\\+[^@]*@', '\\1@')`;

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
