import { LayoutIcon } from './layout-icon.tsx';
import styles from './search-field.module.css';

/**
 * The field of the header: a form that leads to the page of results, with or without JavaScript. Where there is no room for the
 * field its button alone is shown, and leads to that page. What it suggests is fetched when it is first used: see `search/`.
 */
export function SearchField() {
  return (
    <form role="search" action="/search" className={styles.search}>
      <input type="search" name="q" aria-label="Search" placeholder="Search" maxLength={200} />
      <button aria-label="Search">
        <LayoutIcon name="search" />
      </button>
    </form>
  );
}
