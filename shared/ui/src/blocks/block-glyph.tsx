import { Picture } from '../picture.tsx';
import { blockGlyphs } from './block-glyphs.art.tsx';
import type { BlockName } from './block-name.ts';

/** The drawing of one block. Decoration: its name stands beside it. Takes the width it is given; square. */
export function BlockGlyph({ name }: { name: BlockName }) {
  return <Picture art={blockGlyphs[name]} />;
}
