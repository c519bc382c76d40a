import { LayoutIcon } from './layout-icon.tsx';
import styles from './search-field.module.css';

/**
 * The header's search field: a form that leads to the results page. With JavaScript it opens as a palette over the page
 * (`data-open`); without room for the field its button does so. The suggestions load on first use: see `search/`.
 */
export function SearchField() {
  return (
    <form role="search" action="/search" className={styles.search}>
      <input type="search" name="q" aria-label="Search" placeholder="Search" maxLength={200} />
      <kbd aria-hidden="true">Ctrl K</kbd>
      <button aria-label="Search">
        <LayoutIcon name="search" />
      </button>
    </form>
  );
}
