import type { SubmissionFilter } from '@site/contract/inbox.schema';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { useEffect, useRef, useState } from 'react';
import type { CallError } from './call-error.ts';
import { useConsole } from './use-console.ts';

interface Shown {
  submissions: readonly Submission[] | undefined;
  next: string | null;
  busy: boolean;
  error: CallError | null;
}

const PAGE = 50;
const nothing: Shown = { submissions: undefined, next: null, busy: false, error: null };

/** Reads only on request, unlike `useRead`: each read is audit-logged with the user's name. */
export function useSubmissions(form: string, state: SubmissionFilter) {
  const { ask } = useConsole();
  const [shown, setShown] = useState<Shown>(nothing);
  const newest = useRef(0);
  const lastQuery = useRef('');

  async function read(before: string | null): Promise<void> {
    newest.current += 1;
    const mine = newest.current;
    setShown((already) => ({ ...already, busy: true, error: null }));
    try {
      const query = { form, state, limit: PAGE, ...(before === null ? {} : { before }) };
      const { submissions, next } = await ask('listSubmissions', { query });
      if (mine !== newest.current) return;
      setShown((already) => ({
        ...nothing,
        submissions: before === null ? submissions : [...(already.submissions ?? []), ...submissions],
        next,
      }));
    } catch (error) {
      if (mine === newest.current)
        setShown((already) => ({ ...already, busy: false, error: error as CallError }));
    }
  }

  useEffect(() => {
    const listed = `${state} ${form}`;
    // Effects may run twice; log only one read.
    if (lastQuery.current === listed) return;
    lastQuery.current = listed;
    setShown(nothing);
    void read(null);
    // oxlint-disable-next-line react/exhaustive-deps -- only for a changed query
  }, [form, state]);

  return {
    submissions: shown.submissions,
    more: shown.next !== null,
    busy: shown.busy,
    error: shown.error,
    refresh: () => void read(null),
    showOlder: () => void read(shown.next),
    put: (submission: Submission) =>
      setShown((already) => ({
        ...already,
        submissions: already.submissions?.map((each) => (each.id === submission.id ? submission : each)),
      })),
  };
}
