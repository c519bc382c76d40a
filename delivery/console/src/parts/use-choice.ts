import { useTyped, type TypedProps } from './use-typed.ts';

interface ChoiceProps extends TypedProps {
  options: { value: string; label: string }[];
}

/**
 * Keeps a choice from a changing list. A choice that left the list stays as an option, because the select
 * would otherwise show another value than the one in use.
 * @returns the choice and its select's props.
 */
export function useChoice(listed: ChoiceProps['options'], initial: string): [string, ChoiceProps] {
  const [value, props] = useTyped(initial);
  const isListed = listed.some((option) => option.value === value);
  return [value, { ...props, options: isListed ? listed : [...listed, { value, label: value }] }];
}
