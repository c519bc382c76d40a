import { RadioGroup } from '@site/ui/choice-group';
import { TextField } from '@site/ui/text-field';

export interface ChosenReason {
  choice: string;
  text: string;
}

const OTHER = 'other';

const LONGEST = 500;

export function reasonText({ choice, text }: ChosenReason): string {
  return (choice === OTHER ? text.trim() : choice).slice(0, LONGEST);
}

interface ReasonFieldProps {
  reasons: readonly string[];
  chosen: ChosenReason;
  onChange: (chosen: ChosenReason) => void;
}

export function ReasonField({ reasons, chosen, onChange }: ReasonFieldProps) {
  const options = [
    ...reasons.map((reason) => ({ value: reason, label: reason })),
    { value: OTHER, label: 'Another reason' },
  ];
  return (
    <>
      <RadioGroup
        label="Why?"
        hint="Recorded in the history."
        name="reason"
        options={options}
        value={chosen.choice}
        onChange={(choice) => onChange({ ...chosen, choice })}
      />
      {chosen.choice === OTHER && (
        <TextField
          label="The reason"
          maxLength={LONGEST}
          value={chosen.text}
          onChange={(event) => onChange({ ...chosen, text: event.target.value })}
        />
      )}
    </>
  );
}
