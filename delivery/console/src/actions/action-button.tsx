import { Button } from '@site/ui/button';
import { useId } from 'react';
import { useConsole } from '../data/use-console.ts';
import { whyNot } from '../data/may.ts';
import type { ConsoleAction } from './action.ts';
import { useOpenAction } from './action-stage.tsx';
import styles from './action-button.module.css';

interface ActionButtonProps {
  /** In few words; beside others of its kind `about` tells them apart for those who listen. */
  label: string;
  about?: string;
  action: ConsoleAction;
  /** The one thing to do here. */
  primary?: boolean;
}

/** Opens an action. What the token may not do can be seen, with the reason, and not be pressed. */
export function ActionButton({ label, about, action, primary = false }: ActionButtonProps) {
  const { session } = useConsole();
  const open = useOpenAction();
  const reason = useId();
  const denied = whyNot(session, action.needs);
  return (
    <span className={styles.action}>
      <Button
        size="small"
        variant={primary ? 'primary' : 'secondary'}
        aria-disabled={denied !== null || undefined}
        aria-describedby={denied === null ? undefined : reason}
        // What was pressed stays what it was, however the view changes below the dialog.
        onClick={() => denied === null && open(action)}
      >
        {label}
        {about !== undefined && <span className="visually-hidden"> {about}</span>}
      </Button>
      {denied !== null && (
        <span className={styles.why} id={reason}>
          {denied}
        </span>
      )}
    </span>
  );
}
