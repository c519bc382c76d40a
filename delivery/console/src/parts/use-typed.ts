import { useState, type ChangeEvent } from 'react';

/** The properties of a field whose text `useTyped` keeps. */
export interface TypedProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}

/** Keeps what is typed into a field or chosen from a list. @returns the text, and the properties of the field. */
export function useTyped(initial = ''): [value: string, props: TypedProps] {
  const [value, setValue] = useState(initial);
  return [value, { value, onChange: (event) => setValue(event.target.value) }];
}
