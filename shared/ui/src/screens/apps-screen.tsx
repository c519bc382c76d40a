import { classes } from '../classes.ts';
import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

export interface AppsScreenProps extends Omit<ScreenProps, 'title' | 'children'> {
  apps: readonly { name: string; id: string; environment: string; fresh?: boolean }[];
}

export function AppsScreen({ apps, ...screen }: AppsScreenProps) {
  return (
    <Screen title="Apps" {...screen}>
      {apps.map(({ name, id, environment, fresh }) => (
        <div key={id} className={classes(styles.row, fresh && styles.fresh)}>
          <span className={styles.grow}>
            <b>{name}</b>
            <code className={styles.quiet}>{id}</code>
          </span>
          <span className={styles.chip}>{environment}</span>
        </div>
      ))}
      <div className={styles.foot}>
        <span className={styles.quiet}>
          {apps.length} {apps.length === 1 ? 'app' : 'apps'}
        </span>
        <span className={styles.press}>Create app</span>
      </div>
    </Screen>
  );
}
