import type { FieldDefinitions, FormDefinition, Thanks } from './form.ts';

export interface TeamFormFields<Fields extends FieldDefinitions = FieldDefinitions> {
  id: string;
  place: string;
  title: string;
  button: string;
  thanks: Thanks;
  tell: string;
  keepDays: number;
  /** Must include `email` of the kind `email`: the sender. */
  fields: Fields;
}

export interface TeamForm extends FormDefinition, TeamFormFields {
  thanks: Thanks;
}

/**
 * Defines a remote's own form. Its page shows it (`Form` of `@site/ui/form`), and `remote.config.ts` lists it
 * in `forms`: publishing declares it, and the forms service accepts it while the version is live. Validated
 * when the remote is built.
 * @example export const applyForm = defineForm({
 *   id: 'mfe-careers/apply',
 *   place: '/careers#apply',
 *   title: 'Apply',
 *   button: 'Send',
 *   thanks: { title: 'We have it', text: 'We answer within a week.' },
 *   tell: 'people',
 *   keepDays: 180,
 *   fields: { email: { kind: 'email', label: 'Email' } }, });
 */
export function defineForm<const Fields extends FieldDefinitions>(
  form: TeamFormFields<Fields>,
): TeamForm & TeamFormFields<Fields> {
  return { ...form, name: form.id, sourceId: form.id, captcha: true };
}
