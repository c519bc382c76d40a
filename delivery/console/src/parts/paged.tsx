import { Button } from '@site/ui/button';
import { LiveRegion } from '@site/ui/notice';
import { TextField } from '@site/ui/text-field';
import { useState, type ReactNode } from 'react';
import { count } from './text.ts';
import styles from './paged.module.css';
import { useTyped } from './use-input.ts';

interface PagedProps<Row> {
  rows: readonly Row[];
  of: string;
  rowText: (row: Row) => string;
  children: (shown: readonly Row[]) => ReactNode;
}

const PAGE = 60;

export function Paged<Row>({ rows, of, rowText, children }: PagedProps<Row>) {
  const [text, textProps] = useTyped();
  const [limit, setLimit] = useState(PAGE);
  if (rows.length <= PAGE) return children(rows);
  const wanted = text.trim().toLowerCase();
  const found = rows.filter((row) => rowText(row).toLowerCase().includes(wanted));
  const shown = found.slice(0, limit);
  return (
    <>
      <TextField label={`Only ${of} with`} type="search" autoComplete="off" {...textProps} />
      {children(shown)}
      <div className={styles.more}>
        <LiveRegion>{`${count(shown.length)} of ${count(found.length)} ${of} shown`}</LiveRegion>
        {shown.length < found.length && (
          <Button size="small" onClick={() => setLimit(shown.length * 2)}>
            Show more {of}
          </Button>
        )}
      </div>
    </>
  );
}

export function PathList({ title, paths }: { title: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <div>
      <h3 className={styles.title}>{title}</h3>
      <Paged rows={paths} of={title.toLowerCase()} rowText={(path) => path}>
        {(shown) => (
          <ul className={styles.paths}>
            {shown.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </div>
  );
}
