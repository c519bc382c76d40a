import { Link, useBrand } from '@site/kit';
import styles from './logo.module.css';

export function Logo({ onClick }: { onClick?: () => void }) {
  const { name } = useBrand();
  return (
    <Link to="/home" className={styles.logo} onClick={onClick}>
      {/* A brick of `@site/ui` as inline paths: a file would load after the page, and the drawing code is not in the
          bundle. */}
      <svg
        className={`hue-signal ${styles.mark}`}
        viewBox="-20 -28 40 50"
        width="40"
        height="50"
        aria-hidden="true"
      >
        <path d="M-17.3 10L0 20L0 2L-17.3 -8Z" fill="var(--face-left)" />
        <path d="M17.3 10L0 20L0 2L17.3 -8Z" fill="var(--face-right)" />
        <path d="M0 -18L17.3 -8L0 2L-17.3 -8Z" fill="var(--face-top)" />
        <path d="M-7.3 -12V-8A7.3 4.2 0 0 0 7.3 -8V-12Z" fill="var(--face-left)" />
        <path d="M-7.3 -12a7.3 4.2 0 1 1 0 .1z" fill="var(--face-top)" />
      </svg>
      <span className={styles.name}>{name}</span>
    </Link>
  );
}
