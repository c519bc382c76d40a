import { createContext, use } from 'react';
import type { LabelProps } from '../label-text.tsx';

/** Collects the texts of a drawing that becomes a file, because a file cannot use the page's fonts. */
export const LabelsContext = createContext<LabelProps[]>([]);

/** A text in a drawing. The page renders it over the picture, so nothing in the drawing can cover it. */
export function Label(props: LabelProps) {
  use(LabelsContext).push(props);
  return null;
}
