import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './figure.module.css';

export interface FigureProps {
  /** The number of the drawing on this page. */
  number?: number;
  caption?: ReactNode;
  /** Prints it as a blueprint, also by day. */
  blueprint?: boolean;
  children: ReactNode;
}

/** A framed drawing with its number: "Fig. 2". */
export function Figure({ number, caption, blueprint, children }: FigureProps) {
  return (
    <figure className={classes(styles.figure, blueprint && 'blueprint')}>
      <div className={styles.drawing}>{children}</div>
      {(caption || number !== undefined) && (
        <figcaption className={styles.caption}>
          {number !== undefined && <span className={styles.number}>Fig. {number}</span>}
          {caption}
        </figcaption>
      )}
    </figure>
  );
}
