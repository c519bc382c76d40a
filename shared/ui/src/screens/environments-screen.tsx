import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

const environments = ['Dev', 'Stage', 'Prod'] as const;

export interface EnvironmentsScreenProps extends Omit<ScreenProps, 'children'> {
  chosen: (typeof environments)[number];
  /** A block and its version in each environment. Empty: not there yet. */
  blocks: readonly (readonly [name: string, ...versions: string[]])[];
  action: string;
}

export function EnvironmentsScreen({ chosen, blocks, action, ...screen }: EnvironmentsScreenProps) {
  return (
    <Screen {...screen}>
      <div className={styles.versions}>
        <span>Block</span>
        <div className={styles.choice}>
          {environments.map((name) => (
            <span key={name} className={name === chosen ? styles.chosen : undefined}>
              {name}
            </span>
          ))}
        </div>
      </div>
      {blocks.map(([name, ...versions]) => (
        <div key={name} className={styles.versions}>
          <span>{name}</span>
          {environments.map((environment, index) => (
            <code key={environment}>{versions[index] || '–'}</code>
          ))}
        </div>
      ))}
      <div className={styles.foot}>
        <span className={styles.quiet}>
          {blocks.length} blocks in {chosen}
        </span>
        <span className={styles.press}>{action}</span>
      </div>
    </Screen>
  );
}
