import type { ReactNode } from 'react';

export interface DefinitionsProps {
  /** Terms and descriptions, in list order. */
  items: readonly (readonly [term: ReactNode, text: ReactNode])[];
  className?: string | undefined;
  'aria-label'?: string;
}

/** A `<dl>` with a group element around each pair, for the page's CSS. */
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
