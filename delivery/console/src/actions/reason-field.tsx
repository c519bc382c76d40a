import { RadioGroup } from '@site/ui/choice-group';
import { TextField } from '@site/ui/text-field';

export interface ChosenReason {
  /** One of those that are offered, `other`, or '' before a choice. */
  choice: string;
  /** What was typed for `other`. */
  text: string;
}

const OTHER = 'other';

/** As long as the registry takes. */
const LONGEST = 500;

/** The reason in words; '' while there is none. */
export function reasonOf({ choice, text }: ChosenReason): string {
  return (choice === OTHER ? text.trim() : choice).slice(0, LONGEST);
}

interface ReasonFieldProps {
  reasons: readonly string[];
  chosen: ChosenReason;
  onChange: (chosen: ChosenReason) => void;
}

/** Why: one press for what is usual, a text for the rest. It stays in the history. */
export function ReasonField({ reasons, chosen, onChange }: ReasonFieldProps) {
  const options = [
    ...reasons.map((reason) => ({ value: reason, label: reason })),
    { value: OTHER, label: 'Another reason' },
  ];
  return (
    <>
      <RadioGroup
        label="Why?"
        hint="It stays in the history."
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
