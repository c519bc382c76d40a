import type { ReactElement } from 'react';
import { LabelsContext } from './blocks/label.tsx';
import type { DrawingProps } from './blocks/primitives.tsx';
import type { LabelProps } from './label-text.tsx';

/** A drawing in a file of its own, as `<Picture>` shows it. */
export interface Art {
  /** Where the file is. */
  src: string;
  /** In CSS pixels, where nothing gives it another size. */
  width: number;
  height: number;
  /** What a reader who does not see it should know; a drawing without it is decoration. */
  title?: string;
  /** Its texts and the paper that they stand on. A file cannot use the fonts of the page, so they stay in the page. */
  labels?: { viewBox: string; texts: readonly LabelProps[] };
}

/** An `Art` that the build has not yet drawn. */
export interface UndrawnArt extends Art {
  viewBox: string;
  /** What goes into the file. Once rendered, it has put its texts into `texts`. */
  drawing(texts: LabelProps[]): ReactElement;
}

/**
 * Makes a file of a drawing. Only in modules named `*.art.tsx`, which export nothing but drawings, and lists and records
 * of them: the build runs such a module, writes the files, and puts plain data in the place of its code
 * (`shared/build/src/drawings/draw-module.ts`). So no code of a drawing reaches a browser.
 *
 * @example
 * export const bridge = art(<Drawing viewBox="0 0 20 20"><Brick at={[0, 0, 0]} size={[1, 1, 1]} /></Drawing>);
 */
export function art(drawing: ReactElement<DrawingProps>): Art {
  const { viewBox, title } = drawing.props;
  const [, , width = 0, height = 0] = viewBox.split(' ').map(Number);
  const undrawn: UndrawnArt = {
    src: '',
    width,
    height,
    ...(title ? { title } : {}),
    viewBox,
    drawing: (texts) => <LabelsContext value={texts}>{drawing}</LabelsContext>,
  };
  return undrawn;
}
