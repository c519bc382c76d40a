import type { SubmissionFilter, SubmissionState } from '@site/contract/inbox.schema';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { visibleLine } from '@site/contract/text';
import { Badge } from '@site/ui/badge';
import { Button } from '@site/ui/button';
import { Notice } from '@site/ui/notice';
import { useRef, useState } from 'react';
import { isUnanswered, errorMessage } from '../../data/call-error.ts';
import { useConsole } from '../../data/use-console.ts';
import { useSubmissions } from '../../data/use-submissions.ts';
import { At } from '../../parts/ago.tsx';
import { Table } from '../../parts/table.tsx';
import { Export } from './export.tsx';
import { SubmissionText } from './submission-text.tsx';
import styles from './submissions.module.css';

interface SubmissionsProps {
  form: string;
  state: SubmissionFilter;
}

export function Submissions({ form, state }: SubmissionsProps) {
  const { ask, reads } = useConsole();
  const inbox = useSubmissions(form, state);
  const [open, setOpen] = useState<Submission | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const { submissions, error } = inbox;
  const asked = useRef(0);
  const opener = useRef<Element | null>(null);

  async function attempt(act: () => Promise<void>): Promise<void> {
    setProblem(null);
    try {
      await act();
    } catch (failed) {
      setProblem(failed);
    }
  }
  const show = (id: string) =>
    attempt(async () => {
      asked.current += 1;
      const mine = asked.current;
      opener.current = document.activeElement;
      const shown = await ask('showSubmission', { params: { submission: id } });
      if (mine === asked.current) setOpen(shown);
    });
  const close = () => {
    setOpen(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const mark = (id: string, as: SubmissionState) =>
    attempt(async () => {
      const marked = await ask('markSubmission', { params: { submission: id }, body: { state: as } });
      inbox.put(marked);
      setOpen((shown) => (shown?.id === id ? marked : shown));
      setSaid(`The submission of ${visibleLine(marked.email)} is ${as}.`);
      // Reads only the counts again: every read of submissions is logged.
      await reads.refresh();
    });

  const failed = problem ?? error ?? null;
  return (
    <>
      {failed !== null && (
        <Notice tone="error" title={isUnanswered(failed) ? 'No response.' : 'That did not work.'}>
          <p>{errorMessage(failed)}</p>
        </Notice>
      )}
      {submissions === undefined ? (
        error === null && <p role="status">Loading the submissions …</p>
      ) : (
        <Table
          none={state === 'all' ? 'No submissions.' : `No ${state} submissions.`}
          caption="Submissions, newest first"
          columns={['From', 'Sent', 'State', 'Actions']}
          rows={submissions.map((submission) => [
            <bdi key="from" className={styles.from}>
              {visibleLine(submission.email)}
            </bdi>,
            <At key="sent" at={submission.sentAt} />,
            <State key="state" {...submission} />,
            <div key="actions" className="row">
              <Act label="Show" about={submission.email} onPress={() => show(submission.id)} />
              {marks[submission.state].map(([label, as]) => (
                <Act
                  key={as}
                  label={label}
                  about={submission.email}
                  onPress={() => mark(submission.id, as)}
                />
              ))}
            </div>,
          ])}
        />
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
      <div className="row">
        <Button size="small" onClick={inbox.refresh}>
          Look again
        </Button>
        {inbox.more && (
          <Button size="small" onClick={inbox.showOlder}>
            Show older
          </Button>
        )}
        <Export form={form} state={state} attempt={attempt} />
      </div>
      {open && <SubmissionText key={open.id} submission={open} onClose={close} />}
    </>
  );
}

const marks: Readonly<Record<SubmissionState, readonly (readonly [string, SubmissionState])[]>> = {
  new: [
    ['Handled', 'handled'],
    ['Spam', 'spam'],
  ],
  handled: [
    ['New again', 'new'],
    ['Spam', 'spam'],
  ],
  spam: [['Not spam', 'new']],
};

function State({ state, markedBy }: Submission) {
  return (
    <>
      <Badge {...(state === 'new' ? { tone: 'blue' } : {})}>{state}</Badge>
      {markedBy !== null && <span>{` by ${visibleLine(markedBy)}`}</span>}
    </>
  );
}

interface ActProps {
  label: string;
  about: string;
  onPress: () => Promise<void>;
}

function Act({ label, about, onPress }: ActProps) {
  const [busy, setBusy] = useState(false);
  const press = async (button: HTMLElement) => {
    const row = button.parentElement;
    setBusy(true);
    await onPress();
    setBusy(false);
    // The clicked button disappears: the focus moves to the next one in its row.
    if (document.activeElement === document.body) row?.querySelector('button')?.focus();
  };
  return (
    <Button
      size="small"
      aria-disabled={busy || undefined}
      onClick={(event) => busy || void press(event.currentTarget)}
    >
      {label}
      <span className="visually-hidden"> {visibleLine(about)}</span>
    </Button>
  );
}
