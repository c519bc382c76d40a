import { classes } from '@site/ui/classes';
import styles from './version.module.css';

/** Emphasizes the hash of a version id. */
export function Version({ of, className }: { of: string | null; className?: string }) {
  return <code className={classes(styles.version, className)}>{of ?? 'none'}</code>;
}
