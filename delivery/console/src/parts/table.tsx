import { DataTable, type DataTableProps } from '@site/ui/data-table';
import { Button } from '@site/ui/button';

interface TableProps extends Pick<DataTableProps, 'caption' | 'columns' | 'rows'> {
  none?: string;
}

export function Table({ none, ...table }: TableProps) {
  return none !== undefined && table.rows.length === 0 ? <p>{none}</p> : <DataTable hideCaption {...table} />;
}

interface ShowOlderProps {
  limit: number;
  most: number;
  onMore: (limit: number) => void;
}

/** Doubles the length of a list. Responses are cached by their end, so a longer list is one response. */
export function ShowOlder({ limit, most, onMore }: ShowOlderProps) {
  if (limit >= most) return null;
  return (
    <Button size="small" onClick={() => onMore(Math.min(most, limit * 2))}>
      Show older
    </Button>
  );
}
