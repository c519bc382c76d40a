import { useState, type ChangeEvent } from 'react';

export interface TypedProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}

export function useTyped(initial = ''): [value: string, props: TypedProps] {
  const [value, setValue] = useState(initial);
  return [value, { value, onChange: (event) => setValue(event.target.value) }];
}

interface ChoiceProps extends TypedProps {
  options: { value: string; label: string }[];
}

/**
 * A choice that left the list stays as an option, because the select would otherwise show another value than the one in
 * use.
 */
export function useChoice(listed: ChoiceProps['options'], initial: string): [string, ChoiceProps] {
  const [value, props] = useTyped(initial);
  const isListed = listed.some((option) => option.value === value);
  return [value, { ...props, options: isListed ? listed : [...listed, { value, label: value }] }];
}
