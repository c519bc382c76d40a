import { useEffect, useRef } from 'react';
import styles from './error-summary.module.css';

export interface SummaryProblem {
  field: string | null;
  message: string;
}

export interface ErrorSummaryProps {
  title?: string;
  problems: readonly SummaryProblem[];
  /** Increment it with each submission: the summary takes the focus again. */
  attempt?: number;
}

/** Lists a form's problems above it, with a link to each field. Takes the focus when it appears. */
export function ErrorSummary({
  title = 'Please correct the following',
  problems,
  attempt,
}: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = problems.length > 0;
  useEffect(() => {
    if (shown) box.current?.focus();
  }, [shown, attempt]);

  if (!shown) return null;
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} ref={box}>
      <p className={styles.title}>{title}</p>
      <ul className={styles.list}>
        {problems.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            {field ? <FieldLink field={field} message={message} /> : message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FieldLink({ field, message }: { field: string; message: string }) {
  return (
    <a
      href={`#${field}`}
      onClick={(event) => {
        const control = document.getElementById(field);
        if (!control) return;
        // Focus without a history entry.
        event.preventDefault();
        control.focus();
      }}
    >
      {message}
    </a>
  );
}
