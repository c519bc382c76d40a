import { createContext, use } from 'react';
import type { LabelProps } from '../label-text.tsx';

/** Collects the texts of a drawing that becomes a file, because a file cannot use the page's fonts. */
export const LabelsContext = createContext<LabelProps[]>([]);

export function Label(props: LabelProps) {
  use(LabelsContext).push(props);
  return null;
}
