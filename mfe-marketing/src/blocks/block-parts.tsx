import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { PartsList } from '@site/ui/parts-list';
import { blockNames } from './block-names.ts';

export interface BlockPartsProps {
  title: string;
  blocks: readonly BlockName[];
  drawn?: boolean;
}

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
