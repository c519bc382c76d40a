import type { ReferralConfirmation } from '../referral-thanks.ts';

/** The most characters of a line: what its kind allows, or 100. An email address has at most 254 (RFC 5321). */
export const maxLengths = { line: 100, email: 254, phone: 40, website: 300 } as const;

/** It has to be filled in; `missing` is said where it is not. */
interface Needed {
  missing: string;
  optional?: never;
}

interface MayBeEmpty {
  optional: true;
}

interface Choosing {
  /** Value → label, in the order of the page. */
  options: Readonly<Record<string, string>>;
}

/** What a field takes: from its kind come its control in the page and the rules that it is checked by. */
type FieldKind =
  /** One line of text. */
  | ({ kind: 'line'; maxLength?: number; autoComplete?: string } & (Needed | MayBeEmpty))
  /** An email address. `problem` stands for all messages about it. */
  | { kind: 'email'; problem?: string; optional?: never }
  /** An email address that mails to others show, so it must not read as anything else. */
  | { kind: 'sender'; optional?: never }
  /** Several email addresses, separated by commas. */
  | { kind: 'emails'; most: number; rows: number; optional?: never }
  | ({ kind: 'phone' } & Needed)
  /** The address of a web site, with or without its scheme. */
  | ({ kind: 'website' } & MayBeEmpty)
  /** Lines of text without web addresses. `first` stands in it at first, `{brand}` in it for who the site speaks for. */
  | ({ kind: 'message'; maxLength: number; rows: number; first?: string } & MayBeEmpty)
  /** One of many. `placeholder` is the empty choice. */
  | ({ kind: 'choice'; placeholder: string; autoComplete?: string } & Choosing & Needed)
  /** One of a few. */
  | ({ kind: 'radio' } & Choosing & Needed)
  /** Some of a few. `unlisted` is said of a value that is not offered. */
  | ({ kind: 'checkboxes'; unlisted: string } & Choosing & Needed);

export type FieldDefinition = FieldKind & {
  label: string;
  /** Help that stays visible, below the label. */
  hint?: string;
  /** Two halves that follow each other stand side by side where there is room. */
  half?: true;
};

/** The fields of a form by name, in the order of the page. */
export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>;

export interface Thanks {
  title: string;
  text: string;
}

/**
 * All that is to be said of a form: its page, the page without JavaScript, the reader of plain posts, the checks on both
 * sides and the form contract are made from it.
 */
export interface FormDefinition {
  /** One of `formSources`, or the identifier of a form that a remote declares. */
  name: string;
  /** The `source_id` of its submissions. */
  sourceId: string;
  /** Where it stands on the site: path and anchor. */
  place: string;
  title: string;
  button: string;
  /** What is said once it has arrived; of what has to be confirmed, by how. */
  thanks: Thanks | Readonly<Record<ReferralConfirmation | 'unknown', Thanks>>;
  /** Whether the site solves a captcha before it sends the form. */
  captcha: boolean;
  /** One of them is `email`: who sends the form. */
  fields: FieldDefinitions;
}

/** What is said once a form has arrived. */
export function thanksOf(
  { thanks }: Pick<FormDefinition, 'thanks'>,
  confirmation: ReferralConfirmation | 'unknown' = 'unknown',
): Thanks {
  return 'title' in thanks ? thanks : thanks[confirmation];
}

/** Attributes of a control that help to fill it in, or let the browser check it, by their names in React. */
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

/** The attributes of a control for one email address, besides that it is required. */
export const emailAttributes = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'email',
  maxLength: maxLengths.email,
} as const satisfies ControlAttributes;

/** The attributes of a field's control. A group of check boxes has none: a browser cannot ask for one of them. */
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
      // Not autocomplete="off": browsers would then lose it on Back.
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
        // Not `url`: the browser's own check would insist on https://
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
