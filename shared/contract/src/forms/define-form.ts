import type { FieldDefinitions, FormDefinition, Thanks } from './form.ts';

/** What a team says of a form of its own. */
export interface TeamFormFields<Fields extends FieldDefinitions = FieldDefinitions> {
  /** Its app, "/" and a name: `mfe-careers/apply`. */
  id: string;
  /** Where it stands on the site: a page of its app, and perhaps an anchor. */
  place: string;
  title: string;
  button: string;
  thanks: Thanks;
  /** The team that is told of submissions. Its address is a setting of the forms service (`FORM_RECIPIENTS`). */
  tell: string;
  /** How many days a submission is kept, at most 1,096. */
  keepDays: number;
  /** One of them is `email`, of the kind `email`: who sends the form. */
  fields: Fields;
}

/** A form of a team: what its page shows, and what its app declares. */
export interface TeamForm extends FormDefinition, TeamFormFields {
  thanks: Thanks;
}

/**
 * A form of a remote's own. Its page shows it (`Form` of `@site/ui/form`), and `remote.config.ts` lists it among `forms`: publishing
 * declares it, and the forms service takes it while the version is live. It is checked when the remote is built.
 *
 * @example
 * export const applyForm = defineForm({
 *   id: 'mfe-careers/apply',
 *   place: '/careers#apply',
 *   title: 'Apply',
 *   button: 'Send',
 *   thanks: { title: 'We have it', text: 'We answer within a week.' },
 *   tell: 'people',
 *   keepDays: 180,
 *   fields: { email: { kind: 'email', label: 'Email' } },
 * });
 */
export function defineForm<const Fields extends FieldDefinitions>(
  form: TeamFormFields<Fields>,
): TeamForm & TeamFormFields<Fields> {
  return { ...form, name: form.id, sourceId: form.id, captcha: true };
}
