import { Button } from '@site/ui/button';
import { useEffect, useRef, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import styles from './filter-form.module.css';

/** A filter in the URL, so that the view can be shared. The fields' names are the query parameters. */
export function FilterForm({ children }: { children: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const isOwn = useRef(false);
  const shown = search.toString();
  useEffect(() => {
    // The form is rendered again for its new URL: after a submit by keyboard, restore the focus to its
    // button.
    if (isOwn.current) form.current?.querySelector('button')?.focus();
    isOwn.current = false;
  }, [shown]);
  return (
    <form
      key={shown}
      ref={form}
      className={styles.filter}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        isOwn.current = true;
        const wanted = new FormData(event.currentTarget);
        setSearch((before) => {
          for (const [name, value] of wanted) {
            const text = typeof value === 'string' ? value.trim() : '';
            if (text === '') before.delete(name);
            else before.set(name, text);
          }
          return before;
        });
      }}
    >
      {children}
      <Button type="submit">Show</Button>
    </form>
  );
}
