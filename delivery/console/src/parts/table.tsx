import { DataTable, type DataTableProps } from '@site/ui/data-table';

interface TableProps extends Pick<DataTableProps, 'caption' | 'columns' | 'rows'> {
  /** The text for an empty table. */
  none?: string;
}

/** A table under a heading; the caption is only for screen readers. */
export function Table({ none, ...table }: TableProps) {
  return none !== undefined && table.rows.length === 0 ? <p>{none}</p> : <DataTable hideCaption {...table} />;
}
