import { classes } from '../classes.ts';
import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

export interface RecordsScreenProps extends Omit<ScreenProps, 'label' | 'children'> {
  /** A form: its fields and its button. */
  fields?: readonly string[];
  button?: string;
  rows?: readonly ScreenRow[];
}

export interface ScreenRow {
  text: string;
  /** Small, below the text. */
  note?: string;
  /** At the end of the row. */
  value?: string;
  /** Percent: draws a bar. */
  share?: number;
  /** Draws a step that is done or not. */
  done?: boolean;
}

/** A form or a list of records. Its alternative text is its content. */
export function RecordsScreen({ fields = [], button, rows = [], ...screen }: RecordsScreenProps) {
  const label = [screen.title, ...fields, ...(button ? [button] : []), ...rows.map(rowText)].join('; ');
  return (
    <Screen label={label} {...screen}>
      {button && (
        <div className={styles.form}>
          {fields.map((field) => (
            <span key={field} className={styles.value}>
              {field}
            </span>
          ))}
          <span className={styles.press}>{button}</span>
        </div>
      )}
      {rows.map(({ text, note, value, share, done }) => (
        <div key={text} className={styles.row}>
          {done !== undefined && <span className={classes(styles.mark, done && styles.done)} />}
          <span className={styles.grow}>
            <b>{text}</b>
            {note && <span className={styles.quiet}>{note}</span>}
          </span>
          {value && <span>{value}</span>}
          {share !== undefined && (
            <svg className={styles.meter} viewBox="0 0 100 1" preserveAspectRatio="none">
              <path d={`M0 0h${share}v1H0z`} />
            </svg>
          )}
        </div>
      ))}
    </Screen>
  );
}

function rowText({ text, note, value, done }: ScreenRow): string {
  const state = done === undefined ? '' : done ? 'done' : 'open';
  return [text, note, value, state].filter(Boolean).join(', ');
}
