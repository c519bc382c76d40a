import type { ComponentProps } from 'react';
import { Field, type FieldLabels } from './field.tsx';
import styles from './field.module.css';

export type TextFieldProps = FieldLabels & Omit<ComponentProps<'input'>, 'className' | 'children'>;

/** Single-line text. Set `type`, `autoComplete` and `inputMode` where applicable. */
export function TextField({ label, hint, error, optional, id, ...input }: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(control) => <input type="text" {...input} {...control} className={styles.control} />}
    </Field>
  );
}
