import { BlockGlyph } from '../blocks/block-glyph.tsx';
import type { BlockName } from '../blocks/block-name.ts';
import { classes } from '../classes.ts';
import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

export interface SettingsScreenProps extends Omit<ScreenProps, 'children'> {
  block: BlockName;
  settings: readonly { name: string; text: string; on: boolean }[];
  users?: readonly [used: number, included: number];
}

export function SettingsScreen({ block, settings, users, ...screen }: SettingsScreenProps) {
  return (
    <Screen {...screen}>
      {settings.map(({ name, text, on }, index) => (
        <div key={name} className={styles.row}>
          {index === 0 && (
            <span className={styles.glyph}>
              <BlockGlyph name={block} />
            </span>
          )}
          <span className={styles.grow}>
            <b>{name}</b>
            <span className={styles.quiet}>{text}</span>
          </span>
          <span className={classes(styles.switch, on && styles.on)} />
        </div>
      ))}
      {users && (
        <div className={styles.foot}>
          <span>Internal users</span>
          <b>
            {users[0].toLocaleString('en-US')} of {users[1].toLocaleString('en-US')}
          </b>
          <svg className={styles.meter} viewBox="0 0 100 1" preserveAspectRatio="none">
            <path d={`M0 0h${(users[0] / users[1]) * 100}v1H0z`} />
          </svg>
        </div>
      )}
    </Screen>
  );
}
