import type { ReactNode } from 'react';
import { Link, type LinkProps } from '@site/kit';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import styles from './card.module.css';

export interface CardProps {
  title: ReactNode;
  /** Heading level. Default 3. */
  level?: 2 | 3 | 4;
  label?: ReactNode;
  figure?: ReactNode;
  to?: LinkProps['to'];
  href?: string;
  footer?: ReactNode;
  highlighted?: boolean;
  children?: ReactNode;
}

/** A sheet of content. With `to` or `href` the whole card is clickable, and its title is the link. */
export function Card({
  title,
  level = 3,
  label,
  figure,
  to,
  href,
  footer,
  highlighted,
  children,
}: CardProps) {
  const Heading = `h${level}` as const;
  const linked = to !== undefined || href !== undefined;
  return (
    <article className={classes(styles.card, linked && styles.linked, highlighted && styles.highlighted)}>
      <div className={styles.inner}>
        {figure && <div className={styles.figure}>{figure}</div>}
        <div className={styles.text}>
          {label && <p className="label">{label}</p>}
          <Heading className={styles.title}>
            {to !== undefined ? (
              <Link to={to}>{title}</Link>
            ) : href !== undefined ? (
              <a href={href} rel="noopener">
                {title}
              </a>
            ) : (
              title
            )}
            {linked && <Icon name={to === undefined ? 'external' : 'arrow-right'} className={styles.arrow} />}
          </Heading>
          {children}
          {footer && <div className={styles.footer}>{footer}</div>}
        </div>
      </div>
    </article>
  );
}
