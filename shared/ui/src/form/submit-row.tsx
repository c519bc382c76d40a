import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import styles from './forms.module.css';

export interface SubmitRowProps {
  sending: boolean;
  label: string;
  children: ReactNode;
}

/** The submit button and the privacy note. It keeps the focus during the submission, so it is never disabled. */
export function SubmitRow({ sending, label, children }: SubmitRowProps) {
  return (
    <div className={styles.submit}>
      <Button type="submit" variant="primary" icon="arrow-right" aria-disabled={sending}>
        {sending ? 'Sending …' : label}
      </Button>
      <p className={styles.note}>{children}</p>
    </div>
  );
}
