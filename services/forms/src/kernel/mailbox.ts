import { sql, type RawBuilder } from 'kysely';

/** Lower case, without the part after a plus sign, which belongs to the mailbox's owner (RFC 5233). */
export function toMailbox(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** `toMailbox` in SQL: queries and index must have exactly this expression. */
export const mailboxSql = (column: string): RawBuilder<string> =>
  sql<string>`regexp_replace(lower(${sql.ref(column)}), '^([^+@]+)\\+[^@]*@', '\\1@')`;

export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
