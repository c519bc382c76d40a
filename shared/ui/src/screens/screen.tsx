import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import type { Hue } from '../blocks/primitives.tsx';
import styles from './screen.module.css';

export interface ScreenProps {
  /** Describes the screen for assistive technology, which does not read its parts. */
  label: string;
  title: string;
  note?: string;
  hue?: Hue;
  children: ReactNode;
}

/** A sample screen of the product. An image: nothing in it can be pressed. Its texts keep their size at any width. */
export function Screen({ label, title, note, hue = 'paper', children }: ScreenProps) {
  return (
    <div role="img" aria-label={label}>
      <div aria-hidden="true" className={classes(styles.screen, `hue-${hue}`)}>
        <div className={styles.bar}>
          <span>{title}</span>
          {note && <small>{note}</small>}
        </div>
        {children}
      </div>
    </div>
  );
}
