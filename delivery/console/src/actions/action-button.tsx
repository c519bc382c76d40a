import { Button } from '@site/ui/button';
import { useId } from 'react';
import { useConsole } from '../data/use-console.ts';
import { permissionProblem } from '../data/permissions.ts';
import type { ConsoleAction } from './action.ts';
import { useOpenAction } from './action-stage.tsx';
import styles from './action-button.module.css';

interface ActionButtonProps {
  /** Short; `about` distinguishes it from similar buttons for screen readers. */
  label: string;
  about?: string;
  action: ConsoleAction;
  primary?: boolean;
}

export function ActionButton({ label, about, action, primary = false }: ActionButtonProps) {
  const { session } = useConsole();
  const open = useOpenAction();
  const reason = useId();
  const denied = permissionProblem(session, action.needs);
  return (
    <span className={styles.action}>
      <Button
        size="small"
        variant={primary ? 'primary' : 'secondary'}
        aria-disabled={denied !== null || undefined}
        aria-describedby={denied === null ? undefined : reason}
        // Keeps the clicked action even if the view below the dialog changes.
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
