import { Picture } from '../picture.tsx';
import { blockGlyphs } from './block-glyphs.art.tsx';
import type { BlockName } from './block-name.ts';
import styles from './block-glyph.module.css';

export function BlockGlyph({ name }: { name: BlockName }) {
  return <Picture art={blockGlyphs[name]} className={styles.glyph} />;
}
