import { Button } from '@site/ui/button';
import { LiveRegion } from '@site/ui/notice';
import { TextField } from '@site/ui/text-field';
import { useState, type ReactNode } from 'react';
import { count } from './numbers.ts';
import styles from './paged.module.css';
import { useTyped } from './use-typed.ts';

interface PagedProps<Row> {
  rows: readonly Row[];
  /** What they are, such as "apps". */
  of: string;
  /** What a row is found by. */
  textOf: (row: Row) => string;
  children: (shown: readonly Row[]) => ReactNode;
}

const PAGE = 60;

/**
 * A list that one answer holds whole, for it grows with the apps and not with the history: shown page by page, and found by a part
 * of its texts. Short ones are shown as they are.
 */
export function Paged<Row>({ rows, of, textOf, children }: PagedProps<Row>) {
  const [text, textProps] = useTyped();
  const [limit, setLimit] = useState(PAGE);
  if (rows.length <= PAGE) return children(rows);
  const wanted = text.trim().toLowerCase();
  const found = rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
  const shown = found.slice(0, limit);
  return (
    <>
      <TextField label={`Only ${of} with`} type="search" autoComplete="off" {...textProps} />
      {children(shown)}
      <div className={styles.more}>
        <LiveRegion>
          {count(shown.length)} of {count(found.length)} {of} shown
        </LiveRegion>
        {shown.length < found.length && (
          <Button size="small" onClick={() => setLimit(shown.length * 2)}>
            Show more {of}
          </Button>
        )}
      </div>
    </>
  );
}
