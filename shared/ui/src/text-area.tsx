import type { ComponentProps } from 'react';
import { Field, type FieldLabels } from './field.tsx';
import styles from './field.module.css';

export type TextAreaProps = FieldLabels & Omit<ComponentProps<'textarea'>, 'className' | 'children'>;

export function TextArea({ label, hint, error, optional, id, ...textarea }: TextAreaProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(control) => <textarea {...textarea} {...control} className={styles.control} />}
    </Field>
  );
}
