import { mainId } from './main-id.ts';
import styles from './skip-link.module.css';

export function SkipLink() {
  return (
    <a className={`visually-hidden ${styles.link}`} href={`#${mainId}`}>
      Skip to content
    </a>
  );
}
