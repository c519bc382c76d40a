import { classes } from '@site/ui/classes';
import styles from './version.module.css';

/** A version's id: its hash is what tells it from the others. */
export function Version({ of, className }: { of: string | null; className?: string }) {
  return <code className={classes(styles.version, className)}>{of ?? 'none'}</code>;
}
