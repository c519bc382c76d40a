import { LayoutIcon } from './layout-icon.tsx';
import styles from './search-field.module.css';

/**
 * The header's search field: a form that leads to the results page, with or without JavaScript. Without room for the
 * field only its button is shown, which leads to that page. The suggestions load on first use: see `search/`.
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
