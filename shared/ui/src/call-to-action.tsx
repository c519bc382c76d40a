import { useId, type ReactNode } from 'react';
import { Actions, type Action } from './actions.tsx';
import { classes } from './classes.ts';
import styles from './call-to-action.module.css';

export interface CallToActionProps {
  title: ReactNode;
  lead?: ReactNode;
  actions: readonly Action[];
}

export function CallToAction({ title, lead, actions }: CallToActionProps) {
  const titleId = useId();
  return (
    <section className={styles.band} data-closing="" aria-labelledby={titleId}>
      <div className={classes('wrap', styles.inner)}>
        <div className={styles.text}>
          <h2 id={titleId}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        <Actions actions={actions} className={styles.actions} />
      </div>
    </section>
  );
}
