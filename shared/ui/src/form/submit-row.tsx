import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import styles from './forms.module.css';

export interface SubmitRowProps {
  sending: boolean;
  label: string;
  children: ReactNode;
}

/** The button that sends, and what happens to the data. It keeps the focus while it sends, so it is never disabled. */
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
