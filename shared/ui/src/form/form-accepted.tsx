import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Icon } from '../icon.tsx';
import styles from './forms.module.css';

export interface FormAcceptedProps {
  title: string;
  children: ReactNode;
  again: string;
  onAgain: () => void;
}

/** Replaces a submitted form, and takes the focus so that the message is announced. */
export function FormAccepted({ title, children, again, onAgain }: FormAcceptedProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div className={styles.accepted} ref={panel} tabIndex={-1} role="status">
      <span className={styles.seal}>
        <Icon name="check" />
      </span>
      <h3>{title}</h3>
      <p>{children}</p>
      <Button size="small" onClick={onAgain}>
        {again}
      </Button>
    </div>
  );
}
