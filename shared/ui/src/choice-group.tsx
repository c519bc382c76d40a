import { Fieldset, type FieldLabels } from './field.tsx';
import type { Option } from './select.tsx';
import styles from './field.module.css';

interface GroupProps extends FieldLabels {
  id?: string;
  name: string;
  options: readonly Option[];
}

export interface CheckboxGroupProps extends GroupProps {
  value?: readonly string[];
  defaultValue?: readonly string[];
  onChange?: (value: string[]) => void;
}

export function CheckboxGroup({
  name,
  options,
  value,
  defaultValue,
  onChange,
  ...labels
}: CheckboxGroupProps) {
  const toggle = (option: string, checked: boolean) =>
    onChange?.(
      options.map((each) => each.value).filter((each) => (each === option ? checked : value?.includes(each))),
    );
  return (
    <Fieldset {...labels}>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="checkbox"
            name={name}
            value={option.value}
            {...(value
              ? { checked: value.includes(option.value) }
              : { defaultChecked: defaultValue?.includes(option.value) })}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
          {option.label}
        </label>
      ))}
    </Fieldset>
  );
}

export interface RadioGroupProps extends GroupProps {
  value?: string;
  defaultValue?: string;
  required?: boolean;
  onChange?: (value: string) => void;
}

export function RadioGroup({
  name,
  options,
  value,
  defaultValue,
  required,
  onChange,
  ...labels
}: RadioGroupProps) {
  return (
    <Fieldset role="radiogroup" {...labels}>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={option.value}
            required={required}
            {...(value !== undefined
              ? { checked: value === option.value }
              : { defaultChecked: defaultValue === option.value })}
            onChange={() => onChange?.(option.value)}
          />
          {option.label}
        </label>
      ))}
    </Fieldset>
  );
}
