import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

export interface NoticeProps {
  tone?: 'info' | 'success' | 'error';
  title?: ReactNode;
  children?: ReactNode;
}

/**
 * A message in the page. Announced when it appears: as an alert for `error`, politely otherwise. For a reliable
 * announcement, put the notice into a permanent `LiveRegion`.
 */
export function Notice({ tone = 'info', title, children }: NoticeProps) {
  return (
    <div className={classes(styles.notice, styles[tone])} role={tone === 'error' ? 'alert' : undefined}>
      <Icon name={tone === 'success' ? 'check' : 'alert'} className={styles.icon} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** A container whose changes are announced politely. Mount it before its content. */
export function LiveRegion({
  className,
  children,
}: {
  className?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div role="status" className={className}>
      {children}
    </div>
  );
}
