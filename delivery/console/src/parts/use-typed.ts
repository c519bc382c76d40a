import { useState, type ChangeEvent } from 'react';

export interface TypedProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}

/** State for a text field or select. @returns the text and the field's props. */
export function useTyped(initial = ''): [value: string, props: TypedProps] {
  const [value, setValue] = useState(initial);
  return [value, { value, onChange: (event) => setValue(event.target.value) }];
}
