import type { Reader, Submission } from './registry-calls/inbox.calls.ts';
import { visibleText } from './visible-text.ts';

/**
 * Spreadsheets run a cell that begins so, also behind spaces and in the wide letters that they take for the same, and some also what
 * begins with a tab or a line break: https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

const fixed = [
  'id',
  'form',
  'sent_at',
  'state',
  'marked_by',
  'marked_at',
  'verified_by',
  'visitor',
  'email',
] as const;

/**
 * What visitors sent as a table (RFC 4180), with a column for each field that any of them has. Everything in it was written by
 * strangers: a cell that a spreadsheet would run has an apostrophe before it, and characters that nobody sees, or that turn the order
 * of letters, are written out (`\u202e`). JSON has it all as it was sent.
 */
export function submissionsCsv(submissions: readonly Submission[]): string {
  const names = [...new Set(submissions.flatMap(({ fields }) => Object.keys(fields)))];
  // A form may call a field as one of the columns that every one has.
  const columns = names.map((name) => ((fixed as readonly string[]).includes(name) ? `field:${name}` : name));
  const rows = submissions.map(({ fields, ...submission }) => [
    submission.id,
    submission.form,
    submission.sentAt,
    submission.state,
    submission.markedBy ?? '',
    submission.markedAt ?? '',
    submission.verifiedBy,
    submission.visitor,
    submission.email,
    ...names.map((name) => (Object.hasOwn(fields, name) ? fieldText(fields[name]) : '')),
  ]);
  return csv([[...fixed, ...columns], ...rows]);
}

/** The same for the readers of the newsletter. */
export function readersCsv(readers: readonly Reader[]): string {
  return csv([
    ['email', 'asked_at', 'confirmed_at', 'wording', 'unsubscribe_url'],
    ...readers.map((reader) => [
      reader.email,
      reader.askedAt,
      reader.confirmedAt,
      reader.wording,
      reader.unsubscribeUrl,
    ]),
  ]);
}

/** Without a byte order mark, Excel on Windows reads the file in the system's code page: "Müller" becomes "MÃ¼ller". */
const BYTE_ORDER_MARK = '\uFEFF';

const csv = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** A field as people read it: of several values, one after the other. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(fieldText).join('; ');
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Always in quotation marks: then no separator of any country's spreadsheet begins another cell within one. */
function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${visibleText(harmless).replaceAll('"', '""')}"`;
}
