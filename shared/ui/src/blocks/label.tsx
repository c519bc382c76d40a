import { createContext, use } from 'react';
import type { LabelProps } from '../label-text.tsx';

/** Takes the texts of a drawing that becomes a file: a file cannot use the fonts of the page. */
export const LabelsContext = createContext<LabelProps[]>([]);

/** A text in a drawing. It stands in the page, over the picture: nothing can be drawn over it. */
export function Label(props: LabelProps) {
  use(LabelsContext).push(props);
  return null;
}
