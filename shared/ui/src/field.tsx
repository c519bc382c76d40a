import { useId, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

export interface FieldLabels {
  label: ReactNode;
  hint?: ReactNode;
  /** The problem and its fix. Marks the control as invalid. */
  error?: string | null | undefined;
  /** Shown after the label of an optional field. Mark optional fields, not required ones. */
  optional?: boolean | undefined;
}

export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps extends FieldLabels {
  id?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/**
 * Label, hint, control and error, connected by `aria-describedby`. The ready-made fields use it. Use it for custom
 * controls.
 */
export function Field({ id, label, hint, error, optional, children }: FieldProps) {
  const generated = useId();
  const control = id ?? generated;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={control}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      <FieldHint id={control} hint={hint} />
      {children({ id: control, ...describe(control, hint, error) })}
      <FieldError id={control} error={error} />
    </div>
  );
}

export interface FieldsetProps extends FieldLabels {
  id?: string | undefined;
  /** Whether at least one choice is required. The hint states it. */
  role?: 'group' | 'radiogroup' | undefined;
  children: ReactNode;
}

export function Fieldset({ id, label, hint, error, optional, role, children }: FieldsetProps) {
  const generated = useId();
  const group = id ?? generated;
  const { 'aria-describedby': describedBy } = describe(group, hint, error);
  return (
    <fieldset className={styles.field} id={group} role={role} aria-describedby={describedBy} tabIndex={-1}>
      <legend className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </legend>
      <FieldHint id={group} hint={hint} />
      <div className={styles.choices}>{children}</div>
      <FieldError id={group} error={error} />
    </fieldset>
  );
}

function FieldHint({ id, hint }: { id: string; hint: ReactNode }) {
  return hint ? (
    <p className={styles.hint} id={`${id}-hint`}>
      {hint}
    </p>
  ) : null;
}

function FieldError({ id, error }: { id: string; error: FieldLabels['error'] }) {
  return error ? (
    <p className={styles.error} id={`${id}-error`}>
      <Icon name="alert" />
      <span>{error}</span>
    </p>
  ) : null;
}

function describe(id: string, hint: ReactNode, error: FieldLabels['error']): Omit<FieldControl, 'id'> {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean);
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': error ? true : undefined };
}
