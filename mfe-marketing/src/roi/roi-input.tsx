import { useId } from 'react';
import { Field } from '@site/ui/field';
import { formatUnit } from './format-roi.ts';
import { roiField, type RoiFieldKey } from './roi-fields.ts';
import styles from './roi-input.module.css';

export interface RoiInputProps {
  name: RoiFieldKey;
  label?: string;
  text: string;
  value: number;
  error: string | undefined;
  slider?: boolean;
  onChange: (text: string) => void;
}

export function RoiInput({ name, label, text, value, error, slider, onChange }: RoiInputProps) {
  const id = useId();
  const field = roiField[name];
  const shownLabel = label ?? field.label;
  const advice = error && `${error} The result uses ${formatUnit(value, field.unit)} until then.`;
  return (
    <div className={styles.input}>
      <Field id={id} label={shownLabel} hint={field.hint} error={advice}>
        {(control) => (
          <span className={styles.box}>
            {field.unit === 'dollars' && <span aria-hidden="true">$</span>}
            <input
              {...control}
              type="number"
              inputMode="decimal"
              autoComplete="off"
              name={field.name}
              min={field.min}
              max={field.max}
              step={field.step}
              value={text}
              onChange={(event) => onChange(event.target.value)}
            />
            {field.unit === 'percent' && <span aria-hidden="true">%</span>}
          </span>
        )}
      </Field>
      {slider && (
        <input
          type="range"
          autoComplete="off"
          name={field.name}
          className={styles.slider}
          aria-label={`${shownLabel}, slider`}
          min={field.min}
          max={field.sliderMax ?? field.max}
          step={field.step}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}
