import { MOST_READERS, MOST_SUBMISSIONS, type SubmissionFilter } from './inbox.schema.ts';
import type { AnswerOf } from './registry-calls/call.ts';
import type { inboxCalls, Reader, Submission } from './registry-calls/inbox.calls.ts';

/** The query of one page of an export. */
export interface ExportQuery {
  form: string;
  state: SubmissionFilter;
  limit: number;
  look: 'export';
  before?: string;
}

/**
 * All that came through a form and is in one state, newest first: page by page, each of which is in the audit log.
 *
 * @param ask makes the call `listSubmissions`. What it throws is thrown.
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

/**
 * All who get the newsletter, the first confirmed first: page by page, as above.
 *
 * @param ask makes the call `listReaders`. What it throws is thrown.
 */
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
