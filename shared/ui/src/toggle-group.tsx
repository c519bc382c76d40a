import { useId, type ReactNode } from 'react';
import { CHECKED_BY_ATTRIBUTE } from '@site/contract/boot-data';
import { classes } from './classes.ts';
import styles from './toggle-group.module.css';

export interface ToggleOption<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface ToggleGroupProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly ToggleOption<Value>[];
  onChange: (value: Value) => void;
  /** The URL's parameter with the value: see `usePageFilter`. The edge then sends the page with its option checked. */
  parameter?: string;
  className?: string | undefined;
}

export function ToggleGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
  parameter,
  className,
}: ToggleGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classes(styles.group, className)}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            {...(parameter ? { [CHECKED_BY_ATTRIBUTE]: `${parameter}=${option.value}` } : {})}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
