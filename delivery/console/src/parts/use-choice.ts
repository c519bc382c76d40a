import { useTyped, type TypedProps } from './use-typed.ts';

interface ChoiceProps extends TypedProps {
  options: { value: string; label: string }[];
}

/**
 * Keeps a choice from a list that may change. A choice that left the list stays an option: a select without it would show another
 * value than the one in use.
 *
 * @returns the choice, and the properties of its select.
 */
export function useChoice(listed: ChoiceProps['options'], initial: string): [string, ChoiceProps] {
  const [value, props] = useTyped(initial);
  const isListed = listed.some((option) => option.value === value);
  return [value, { ...props, options: isListed ? listed : [...listed, { value, label: value }] }];
}
