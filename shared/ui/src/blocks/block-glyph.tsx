import { Picture } from '../picture.tsx';
import { blockGlyphs } from './block-glyphs.art.tsx';
import type { BlockName } from './block-name.ts';
import styles from './block-glyph.module.css';

/** The drawing of one block. Decorative, because its name is next to it. Takes the given width; square. */
export function BlockGlyph({ name }: { name: BlockName }) {
  return <Picture art={blockGlyphs[name]} className={styles.glyph} />;
}
