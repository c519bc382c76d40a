import { MOST_READERS, MOST_SUBMISSIONS, type SubmissionFilter } from './inbox.schema.ts';
import type { AnswerOf } from './registry-calls/call.ts';
import type { inboxCalls, Reader, Submission } from './registry-calls/inbox.calls.ts';
import { visibleText } from './text.ts';
import { isPhone } from './typed-text.ts';

export interface ExportQuery {
  form: string;
  state: SubmissionFilter;
  limit: number;
  look: 'export';
  before?: string;
}

/**
 * Yields all submissions of a form in one state, newest first. Each page is audit-logged.
 * @param ask makes the call `listSubmissions`; its errors are rethrown.
 */
export function allSubmissions(
  wanted: Pick<ExportQuery, 'form' | 'state'>,
  ask: (query: ExportQuery) => Promise<AnswerOf<typeof inboxCalls.listSubmissions>>,
): Promise<Submission[]> {
  return allPages(async (before) => {
    const look = 'export' as const;
    const { submissions, next } = await ask({
      ...wanted,
      limit: MOST_SUBMISSIONS,
      look,
      ...(before && { before }),
    });
    return { items: submissions, next };
  });
}

export function allReaders(
  ask: (query: { limit: number; after?: string }) => Promise<AnswerOf<typeof inboxCalls.listReaders>>,
): Promise<Reader[]> {
  return allPages(async (after) => {
    const { readers, next } = await ask({ limit: MOST_READERS, ...(after && { after }) });
    return { items: readers, next };
  });
}

async function allPages<Item>(
  page: (from: string | null) => Promise<{ items: readonly Item[]; next: string | null }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let from: string | null = null;
  do {
    const { items, next }: { items: readonly Item[]; next: string | null } = await page(from);
    all.push(...items);
    from = next;
  } while (from !== null);
  return all;
}

/**
 * Prefixes that spreadsheets run as a formula, also after spaces and as full-width characters; some also run
 * cells that begin with a tab or line break: https://owasp.org/www-community/attacks/CSV_Injection
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
 * Submissions as CSV (RFC 4180), with a column for each field of any of them. The content is untrusted: cells
 * that a spreadsheet would run get an apostrophe, except phone numbers, and invisible or bidirectional characters
 * are escaped (`\u202e`). JSON exports are unchanged.
 */
export function submissionsCsv(submissions: readonly Submission[]): string {
  const names = [...new Set(submissions.flatMap(({ fields }) => Object.keys(fields)))];
  // A form's field may have the name of a fixed column.
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

/** Newsletter subscribers as CSV. */
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

/**
 * For a file that a person opens: without a byte order mark, Excel on Windows uses the system's code page
 * ("Müller" becomes "MÃ¼ller"). Programs would read the mark as part of the first heading.
 */
export const spreadsheetFile = (csv: string): string => `\uFEFF${csv}`;

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Multiple values are joined. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(fieldText).join('; ');
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Always quoted, so that no locale's separator splits a cell. */
function cell(text: string): string {
  const harmless = FORMULA.test(text) && !isPhone(text) ? `'${text}` : text;
  return `"${visibleText(harmless).replaceAll('"', '""')}"`;
}
