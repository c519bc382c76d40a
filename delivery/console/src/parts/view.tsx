import { useEffect, useRef, type ReactNode } from 'react';
import styles from './view.module.css';

interface ViewProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function View({ title, actions, children }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Console`;
    // Not for the first view, where the browser starts at the top.
    if (document.activeElement && document.activeElement !== document.body) heading.current?.focus();
  }, [title]);
  return (
    <div className={styles.view}>
      <div className={styles.top}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface PartProps {
  title: string;
  id?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Part({ title, id, actions, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title} id={id}>
      <div className={styles.top}>
        <h2 className={styles.partTitle}>{title}</h2>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
