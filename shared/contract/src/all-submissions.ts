import { MOST_READERS, MOST_SUBMISSIONS, type SubmissionFilter } from './inbox.schema.ts';
import type { AnswerOf } from './registry-calls/call.ts';
import type { inboxCalls, Reader, Submission } from './registry-calls/inbox.calls.ts';

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

/**
 * Yields all newsletter subscribers in order of confirmation. Each page is audit-logged.
 * @param ask makes the call `listReaders`; its errors are rethrown.
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
