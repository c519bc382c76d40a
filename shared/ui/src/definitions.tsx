import type { ReactNode } from 'react';

export interface DefinitionsProps {
  items: readonly (readonly [term: ReactNode, text: ReactNode])[];
  className?: string | undefined;
  'aria-label'?: string;
}

/** A `<dl>`. A group element around each pair lets the page's CSS lay pairs out. */
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
