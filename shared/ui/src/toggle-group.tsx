import { useId, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './toggle-group.module.css';

export interface ToggleOption<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface ToggleGroupProps<Value extends string> {
  /** Names the group. Shown only to assistive technology. */
  label: string;
  value: Value;
  options: readonly ToggleOption<Value>[];
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** One of a few, side by side: filters, views. Radio buttons underneath, so arrow keys move the choice. */
export function ToggleGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
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
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
