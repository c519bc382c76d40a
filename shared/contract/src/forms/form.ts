import type { ReferralConfirmation } from './form-messages.ts';

/** The maximum characters of a line: by kind, or 100. An email address has at most 254 (RFC 5321). */
export const maxLengths = { line: 100, email: 254, phone: 40, website: 300 } as const;

/** Required; `missing` is the message for an empty value. */
interface Needed {
  missing: string;
  optional?: never;
}

interface MayBeEmpty {
  optional: true;
}

interface Choosing {
  options: Readonly<Record<string, string>>;
}

type FieldKind =
  /** One line of text. */
  | ({ kind: 'line'; maxLength?: number; autoComplete?: string } & (Needed | MayBeEmpty))
  | { kind: 'email'; problem?: string; optional?: never }
  /** An email address that is shown in emails to others, so it must not look like anything else. */
  | { kind: 'sender'; optional?: never }
  /** Comma-separated email addresses. */
  | { kind: 'emails'; most: number; rows: number; optional?: never }
  | ({ kind: 'phone' } & Needed)
  | ({ kind: 'website' } & MayBeEmpty)
  /**
   * Multiline text without URLs, unless `links`: then no email may contain it. `first` is the initial value, in
   * which `{brand}` stands for the brand's name.
   */
  | ({ kind: 'message'; maxLength: number; rows: number; first?: string; links?: true } & MayBeEmpty)
  /** A select. `placeholder` is the empty option. */
  | ({ kind: 'choice'; placeholder: string; autoComplete?: string } & Choosing & Needed)
  /** Radio buttons. */
  | ({ kind: 'radio' } & Choosing & Needed)
  | ({ kind: 'checkboxes'; unlisted: string } & Choosing & Needed);

export type FieldDefinition = FieldKind & {
  label: string;
  hint?: string;
  /** Two consecutive halves are side by side if there is room. */
  half?: true;
};

export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>;

export interface Thanks {
  title: string;
  text: string;
}

export interface FormDefinition {
  name: string;
  sourceId: string;
  place: string;
  title: string;
  button: string;
  /** The confirmation message; for forms with an email confirmation, by its state. */
  thanks: Thanks | Readonly<Record<ReferralConfirmation | 'unknown', Thanks>>;
  captcha: boolean;
  /** Must include `email`: the sender. */
  fields: FieldDefinitions;
}

export function formThanks(
  { thanks }: Pick<FormDefinition, 'thanks'>,
  confirmation: ReferralConfirmation | 'unknown' = 'unknown',
): Thanks {
  return 'title' in thanks ? thanks : thanks[confirmation];
}

export interface ControlAttributes {
  type?: 'text' | 'email' | 'tel';
  inputMode?: 'email' | 'tel' | 'url';
  autoComplete?: string | undefined;
  autoCapitalize?: 'none';
  spellCheck?: 'false';
  maxLength?: number;
  rows?: number;
  required?: true;
}

export const emailAttributes = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'email',
  maxLength: maxLengths.email,
} as const satisfies ControlAttributes;

/** Checkbox groups have none, because HTML cannot require one of several. */
export function controlAttributes(field: FieldDefinition): ControlAttributes {
  const required = field.optional ? {} : ({ required: true } as const);
  switch (field.kind) {
    case 'line': {
      const { autoComplete, maxLength = maxLengths.line } = field;
      return { type: 'text', autoComplete, maxLength, ...required };
    }
    case 'email':
    case 'sender':
      return { ...emailAttributes, ...required };
    case 'emails':
      // Not autocomplete="off", because browsers would then lose the value on Back.
      return {
        rows: field.rows,
        inputMode: 'email',
        autoCapitalize: 'none',
        spellCheck: 'false',
        ...required,
      };
    case 'phone':
      return {
        type: 'tel',
        inputMode: 'tel',
        autoComplete: 'tel',
        maxLength: maxLengths.phone,
        ...required,
      };
    case 'website':
      return {
        // Not `url`, because the browser would require https://
        type: 'text',
        inputMode: 'url',
        autoComplete: 'url',
        autoCapitalize: 'none',
        spellCheck: 'false',
        maxLength: maxLengths.website,
        ...required,
      };
    case 'message':
      return { rows: field.rows, maxLength: field.maxLength, ...required };
    case 'choice':
      return { autoComplete: field.autoComplete, ...required };
    case 'radio':
      return required;
    case 'checkboxes':
      return {};
  }
}
