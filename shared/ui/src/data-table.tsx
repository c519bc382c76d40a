import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './data-table.module.css';

export interface DataTableProps {
  caption: string;
  /** Hides the caption visually. */
  hideCaption?: boolean;
  columns: readonly string[];
  /** One array of cells per row; the first cell is the row's heading. */
  rows: readonly (readonly ReactNode[])[];
  compact?: boolean;
}

/**
 * A table. In a narrow container each row becomes a card, with the column name in front of each cell. Wider content
 * scrolls sideways, with the keyboard as well.
 */
export function DataTable({ caption, hideCaption, columns, rows, compact }: DataTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <div className={styles.scroller} role="region" aria-label={caption} tabIndex={0}>
      <table className={classes(styles.table, compact ? styles.compact : styles.stacking)}>
        <caption className={classes(styles.caption, hideCaption && 'visually-hidden')}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={index} data-column={columns[index]}>
                    <div>{cell}</div>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
