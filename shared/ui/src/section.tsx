import { useId, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './section.module.css';

export interface SectionProps {
  title: ReactNode;
  id?: string;
  /** The step number in the margin, as in a manual. Number the sections of a page from 1, or none of them. */
  number?: number;
  eyebrow?: ReactNode;
  lead?: ReactNode;
  /** `stacked` (default): the heading above the content. `split`: next to it, for lists and questions. */
  layout?: 'stacked' | 'split';
  /** The background. `blueprint` is always dark, even in the light scheme: at most once per page. */
  tone?: 'paper' | 'sunk' | 'sun' | 'blueprint';
  children?: ReactNode;
}

export function Section({
  title,
  id,
  number,
  eyebrow,
  lead,
  layout = 'stacked',
  tone = 'paper',
  children,
}: SectionProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={classes(styles.section, styles[tone], styles[layout], tone === 'blueprint' && 'blueprint')}
    >
      <div className={classes('wrap', styles.inner)}>
        <header className={styles.header}>
          {number !== undefined && (
            <span className={styles.number} aria-hidden="true">
              {number}
            </span>
          )}
          <div className={styles.heading}>
            {eyebrow && <p className="label">{eyebrow}</p>}
            <h2 id={titleId}>{title}</h2>
            {lead && <p className="lead">{lead}</p>}
          </div>
        </header>
        {children && <div className={styles.body}>{children}</div>}
      </div>
    </section>
  );
}
