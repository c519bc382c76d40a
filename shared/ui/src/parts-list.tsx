import type { ReactNode } from 'react';
import styles from './parts-list.module.css';

export interface Part {
  count: number;
  name: ReactNode;
  /** A small drawing, such as `<BlockGlyph name="auth" />`. */
  glyph?: ReactNode;
}

export interface PartsListProps {
  /** Names the list; shown above it unless `hideTitle`. */
  title: string;
  hideTitle?: boolean;
  parts: readonly Part[];
}

/** The parts box of a manual: "1 × Auth, 2 × Search". */
export function PartsList({ title, hideTitle, parts }: PartsListProps) {
  return (
    <div className={styles.box}>
      {!hideTitle && <p className="label">{title}</p>}
      <ul className={styles.list} aria-label={title}>
        {parts.map((part, index) => (
          <li key={index} className={styles.part}>
            {part.glyph && <span className={styles.glyph}>{part.glyph}</span>}
            <span>
              <span className={styles.count}>{part.count} ×</span> {part.name}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
