import { useState, type ChangeEvent } from 'react';

/** Of a field that `useTyped` keeps. */
export interface TypedProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}

/** What is typed into a field or chosen in a list, and the properties of the field. */
export function useTyped(initial = ''): [value: string, props: TypedProps] {
  const [value, setValue] = useState(initial);
  return [value, { value, onChange: (event) => setValue(event.target.value) }];
}
