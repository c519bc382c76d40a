import { DataTable, type DataTableProps } from '@site/ui/data-table';

interface TableProps extends Pick<DataTableProps, 'caption' | 'columns' | 'rows'> {
  /** Said where there are none. */
  none?: string;
}

/** A table under a heading that says what it is: its caption is for those who listen. */
export function Table({ none, ...table }: TableProps) {
  return none !== undefined && table.rows.length === 0 ? <p>{none}</p> : <DataTable hideCaption {...table} />;
}
