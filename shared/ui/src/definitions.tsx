import type { ReactNode } from 'react';

export interface DefinitionsProps {
  /** Each with what is said of it. Its order is that of the list. */
  items: readonly (readonly [term: ReactNode, text: ReactNode])[];
  className?: string | undefined;
  'aria-label'?: string;
}

/** A `<dl>` whose pairs are groups of their own, for the page's CSS to lay out. */
export function Definitions({ items, ...rest }: DefinitionsProps) {
  return (
    <dl {...rest}>
      {items.map(([term, text], index) => (
        <div key={index}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
