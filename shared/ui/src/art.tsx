import type { ReactElement } from 'react';
import { LabelsContext } from './blocks/label.tsx';
import type { DrawingProps } from './blocks/primitives.tsx';
import type { LabelProps } from './label-text.tsx';

export interface Art {
  src: string;
  width: number;
  height: number;
  /** Alternative text. A drawing without it is decorative. */
  title?: string;
  labels?: { viewBox: string; texts: readonly LabelProps[] };
}

export interface UndrawnArt extends Art {
  viewBox: string;
  /** The content of the file. Rendering it fills `texts`. */
  drawing(texts: LabelProps[]): ReactElement;
}

/**
 * Turns a drawing into a file. Allowed only in modules named `*.art.tsx`, which export only drawings, and lists and
 * records of them. The build runs such a module, writes the files and replaces its code with plain data
 * (`shared/build/src/drawings/draw-module.ts`), so browsers never load drawing code.
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
