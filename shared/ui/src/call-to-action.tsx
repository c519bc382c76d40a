import { useId, type ReactNode } from 'react';
import { Actions, type Action } from './actions.tsx';
import { classes } from './classes.ts';
import styles from './call-to-action.module.css';

export interface CallToActionProps {
  title: ReactNode;
  lead?: ReactNode;
  actions: readonly Action[];
  figure?: ReactNode;
}

/** The last section of a page, on sun-yellow paper: the next step. */
export function CallToAction({ title, lead, actions, figure }: CallToActionProps) {
  const titleId = useId();
  return (
    <section className={styles.band} aria-labelledby={titleId}>
      <div className={classes('wrap', styles.inner)}>
        <div className={styles.text}>
          <h2 id={titleId}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
          <Actions actions={actions} className={styles.actions} />
        </div>
        {figure && <div className={styles.figure}>{figure}</div>}
      </div>
    </section>
  );
}
