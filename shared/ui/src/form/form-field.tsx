import { controlAttributes, type FieldDefinition } from '@site/contract/forms/form';
import { CheckboxGroup, RadioGroup } from '../choice-group.tsx';
import { Select } from '../select.tsx';
import { TextArea } from '../text-area.tsx';
import { TextField } from '../text-field.tsx';
import type { FormValues } from './check-form.ts';

export interface FormFieldProps {
  field: FieldDefinition;
  id: string;
  name: string;
  first: FormValues[string];
  error: string | undefined;
}

export function FormField({ field, first, ...named }: FormFieldProps) {
  const { label, hint, optional } = field;
  const common = { ...named, ...controlAttributes(field), label, hint, optional };
  const text = { ...common, defaultValue: String(first) };
  switch (field.kind) {
    case 'emails':
    case 'message':
      return <TextArea {...text} />;
    case 'choice':
      return <Select {...text} placeholder={field.placeholder} options={toOptions(field.options)} />;
    case 'radio':
      return <RadioGroup {...text} options={toOptions(field.options)} />;
    case 'checkboxes':
      return <CheckboxGroup {...common} defaultValue={[first].flat()} options={toOptions(field.options)} />;
    default:
      return <TextField {...text} />;
  }
}

const toOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
