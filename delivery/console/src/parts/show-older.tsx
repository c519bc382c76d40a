import { Button } from '@site/ui/button';

interface ShowOlderProps {
  /** How many are requested now, and how many may be. */
  limit: number;
  most: number;
  onMore: (limit: number) => void;
}

/** Makes a list twice as long. Answers are read again by their end: a longer list is one answer, not many. */
export function ShowOlder({ limit, most, onMore }: ShowOlderProps) {
  if (limit >= most) return null;
  return (
    <Button size="small" onClick={() => onMore(Math.min(most, limit * 2))}>
      Show older
    </Button>
  );
}
