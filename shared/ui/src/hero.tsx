import type { ReactNode } from 'react';
import { Actions, type Action } from './actions.tsx';
import { classes } from './classes.ts';
import styles from './hero.module.css';

export interface HeroProps {
  title: ReactNode;
  eyebrow?: ReactNode;
  lead?: ReactNode;
  actions?: readonly Action[];
  /** A drawing. To the right on wide screens, below on narrow ones. */
  figure?: ReactNode;
  /** The page's opening content, such as a calculator or code: below the heading, as wide as the page. */
  below?: ReactNode;
  tone?: 'blue' | 'sun' | 'signal' | 'blueprint';
  children?: ReactNode;
}

export function Hero({ title, eyebrow, lead, actions, figure, below, tone, children }: HeroProps) {
  return (
    <div className={tone === 'blueprint' ? tone : tone && styles[tone]}>
      <div className={classes('wrap', styles.hero, figure ? styles.withFigure : below ? styles.opening : '')}>
        <div className={styles.text}>
          {eyebrow && <p className="label">{eyebrow}</p>}
          <h1>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
          {actions && <Actions actions={actions} className={styles.actions} />}
          {children}
        </div>
        {figure && <div className={styles.figure}>{figure}</div>}
        {below}
      </div>
    </div>
  );
}
