import type { SubmissionFilter } from '@site/contract/inbox.schema';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { useEffect, useRef, useState } from 'react';
import type { CallError } from './call-error.ts';
import { useConsole } from './use-console.ts';

/** The loaded submissions of a form. */
export interface Looks {
  /** Undefined before the first response. */
  submissions: readonly Submission[] | undefined;
  /** Whether there are older ones. */
  more: boolean;
  busy: boolean;
  error: CallError | null;
  lookAgain(): void;
  showOlder(): void;
  /** Replaces a submission after its state changed. */
  put(submission: Submission): void;
}

interface Shown {
  submissions: readonly Submission[] | undefined;
  next: string | null;
  busy: boolean;
  error: CallError | null;
}

const PAGE = 50;
const nothing: Shown = { submissions: undefined, next: null, busy: false, error: null };

/** Reads only on request, unlike `useRead`: each read is audit-logged with the user's name. */
export function useLooks(form: string, state: SubmissionFilter): Looks {
  const { ask } = useConsole();
  const [shown, setShown] = useState<Shown>(nothing);
  /** Of concurrent reads the last one wins. */
  const turn = useRef(0);
  const asked = useRef('');

  async function look(before: string | null): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    setShown((already) => ({ ...already, busy: true, error: null }));
    try {
      const query = { form, state, limit: PAGE, ...(before === null ? {} : { before }) };
      const { submissions, next } = await ask('listSubmissions', { query });
      if (mine !== turn.current) return;
      setShown((already) => ({
        ...nothing,
        submissions: before === null ? submissions : [...(already.submissions ?? []), ...submissions],
        next,
      }));
    } catch (error) {
      if (mine === turn.current)
        setShown((already) => ({ ...already, busy: false, error: error as CallError }));
    }
  }

  useEffect(() => {
    const wanted = `${state} ${form}`;
    // Effects may run twice; log only one read.
    if (asked.current === wanted) return;
    asked.current = wanted;
    setShown(nothing);
    void look(null);
    // oxlint-disable-next-line react/exhaustive-deps -- only for a changed query
  }, [form, state]);

  return {
    submissions: shown.submissions,
    more: shown.next !== null,
    busy: shown.busy,
    error: shown.error,
    lookAgain: () => void look(null),
    showOlder: () => void look(shown.next),
    put: (submission) =>
      setShown((already) => ({
        ...already,
        submissions: already.submissions?.map((each) => (each.id === submission.id ? submission : each)),
      })),
  };
}
