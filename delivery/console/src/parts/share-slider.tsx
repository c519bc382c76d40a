import { Field } from '@site/ui/field';
import styles from './share-slider.module.css';

interface ShareSliderProps {
  label: string;
  value: number;
  onChange: (share: number) => void;
}

const MOST = 99;

export function ShareSlider({ label, value, onChange }: ShareSliderProps) {
  return (
    <div className={styles.slider}>
      <Field label={`${label}: ${value} %`}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={1}
            max={MOST}
            value={value}
            aria-valuetext={`${value} %`}
            onChange={(event) => onChange(Number(event.target.value))}
          />
        )}
      </Field>
    </div>
  );
}
