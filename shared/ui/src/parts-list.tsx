import type { ReactNode } from 'react';
import styles from './parts-list.module.css';

export interface Part {
  count: number;
  name: ReactNode;
  glyph?: ReactNode;
}

export interface PartsListProps {
  title: string;
  hideTitle?: boolean;
  parts: readonly Part[];
}

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
