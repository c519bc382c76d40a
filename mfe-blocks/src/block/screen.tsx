import { Badge } from '@site/ui/badge';
import { Icon } from '@site/ui/icon';
import styles from './screen.module.css';

export interface ScreenProps {
  title: string;
  rows: readonly ScreenRow[];
}

export interface ScreenRow {
  text: string;
  /** Small, below the text. */
  note?: string;
  value?: string;
  /** Percent: draws a bar. */
  share?: number;
  done?: boolean;
}

export function Screen({ title, rows }: ScreenProps) {
  return (
    <figure className={styles.screen}>
      <figcaption className={styles.bar}>
        <span>{title}</span>
        <Badge tone="blue">Sample data</Badge>
      </figcaption>
      <ul>
        {rows.map(({ text, note, value, share, done }) => (
          <li key={text} className={styles.row}>
            {done !== undefined && (
              <span className={done ? styles.done : styles.open}>
                {done && <Icon name="check" />}
                <span className="visually-hidden">{done ? 'Done: ' : 'Open: '}</span>
              </span>
            )}
            <span className={styles.text}>
              {text}
              {note && <small>{note}</small>}
            </span>
            {value && <span className={styles.value}>{value}</span>}
            {share !== undefined && (
              <svg className={styles.share} viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
                <path className={styles.track} d="M0 0h100v2H0z" />
                <path className={styles.fill} d={`M0 0h${share}v2H0z`} />
              </svg>
            )}
          </li>
        ))}
      </ul>
    </figure>
  );
}
