import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './badge.module.css';

export interface BadgeProps {
  tone?: 'neutral' | 'signal' | 'sun' | 'blue';
  children: ReactNode;
}

export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return <span className={classes(styles.badge, tone !== 'neutral' && styles[tone])}>{children}</span>;
}
