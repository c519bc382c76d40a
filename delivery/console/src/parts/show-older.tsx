import { Button } from '@site/ui/button';

interface ShowOlderProps {
  /** The requested and the maximum number. */
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
