import type { ComponentProps } from 'react';
import { Field, type FieldLabels } from './field.tsx';
import styles from './field.module.css';

export interface Option {
  value: string;
  label: string;
}

export type SelectProps = FieldLabels &
  Omit<ComponentProps<'select'>, 'className' | 'children'> & {
    options: readonly Option[];
    placeholder?: string;
  };

export function Select({ label, hint, error, optional, id, options, placeholder, ...select }: SelectProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <select {...select} {...control} className={styles.control}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
