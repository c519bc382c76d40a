import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { PartsList } from '@site/ui/parts-list';
import { blockNames } from './block-names.ts';

export interface BlockPartsProps {
  /** Names the list for assistive technology. */
  title: string;
  blocks: readonly BlockName[];
  /** Adds a small drawing of each block. */
  drawn?: boolean;
}

/** The blocks of a build, one of each. */
export function BlockParts({ title, blocks, drawn = false }: BlockPartsProps) {
  return (
    <PartsList
      title={title}
      hideTitle
      parts={blocks.map((block) => ({
        count: 1,
        name: blockNames[block],
        glyph: drawn && <BlockGlyph name={block} />,
      }))}
    />
  );
}
