import type { ScreenContent } from '../pages/cases-page.data.ts';
import styles from './app-screen.module.css';

/** A screen of a sample app in the line style of the drawings. It repeats the step's text, so it is hidden. */
export function AppScreen({ title, fields = [], button, rows = [] }: ScreenContent) {
  return (
    <div className={styles.screen} aria-hidden="true">
      <p className={styles.bar}>
        <svg className={styles.dots} viewBox="0 0 34 10" width="34" height="10">
          <circle className="hue-signal" cx="5" cy="5" r="4" />
          <circle className="hue-sun" cx="17" cy="5" r="4" />
          <circle className="hue-blue" cx="29" cy="5" r="4" />
        </svg>
        {title}
      </p>
      <div className={styles.body}>
        {fields.map((field) => (
          <p key={field} className={styles.field}>
            {field}
          </p>
        ))}
        {button && <p className={styles.button}>{button}</p>}
        {rows.map(([text, note]) => (
          <p key={text} className={styles.row}>
            <span>{text}</span>
            <span className={styles.note}>{note}</span>
          </p>
        ))}
      </div>
    </div>
  );
}
