import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { HONEYPOT_FIELD } from '../form-sources.ts';
import { PagePathSchema, withoutAnchor } from '../route.schema.ts';
import { onePlainLine, textSchema } from '../text.schema.ts';
import { tooMany, versionLimits } from '../version-limits.ts';
import type { TeamForm } from './define-form.ts';
import { maxLengths, type FieldDefinition } from './form.ts';
import { TimestampSchema } from '../timestamp.schema.ts';

/** One line that visitors read, in the page and in the pages of the forms service. */
const line = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Write a text here.'),
    v.maxLength(max, `Use at most ${max} characters.`),
    onePlainLine,
  );
const upTo = (max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max, `This is at most ${max}.`));
const yes = v.literal(true, 'Write true, or leave it out.');

/** What a submission holds beside the fields, in the page or on its way. */
const taken = [HONEYPOT_FIELD, 'captcha', 'site', 'source_id', 'constructor', 'prototype'];

const FieldNameSchema = v.pipe(
  v.string(),
  v.maxLength(40, 'A field name has at most 40 characters.'),
  v.regex(/^[a-z][a-z0-9_]*$/, 'A field is named in lower case with "_", such as "first_name".'),
  v.check(
    (name) => !taken.includes(name),
    ({ input }) => `No field can be named "${input}". Choose another name.`,
  ),
);

const common = {
  name: FieldNameSchema,
  label: line(200),
  hint: v.optional(line(500)),
  half: v.optional(yes),
};
const needed = { missing: line(200) };
const mayBeEmpty = { optional: yes };
const either = { missing: v.optional(line(200)), optional: v.optional(yes) };
const autoComplete = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(60),
    v.regex(/^[a-z0-9-]+( [a-z0-9-]+)*$/, 'This is a value of the attribute "autocomplete".'),
  ),
);
const options = v.pipe(
  v.array(
    v.strictObject({
      value: v.pipe(
        v.string(),
        v.maxLength(50),
        // A letter first: objects put names that are numbers before all others.
        v.regex(
          /^[A-Za-z][A-Za-z0-9_-]*$/,
          'A value begins with a letter, and has letters, digits, "-", "_".',
        ),
        v.check((value) => !taken.includes(value), 'Nothing can have this value. Choose another one.'),
      ),
      label: line(200),
    }),
  ),
  v.minLength(1, 'There is nothing to choose from.'),
  v.maxLength(versionLimits.formOptions, tooMany('options in one field')),
  v.check((all) => isUnique(all.map(({ value }) => value)), 'A value is listed twice.'),
);

/**
 * A field as it is declared. There are no patterns: what a field takes is a kind that both sides know. Addresses of others are no
 * kind of these: an erasure would not find them.
 */
const DeclaredFieldSchema = v.pipe(
  v.variant('kind', [
    v.strictObject({
      kind: v.literal('line'),
      ...common,
      ...either,
      maxLength: v.optional(upTo(500)),
      autoComplete,
    }),
    v.strictObject({ kind: v.literal('email'), ...common, problem: v.optional(line(200)) }),
    v.strictObject({ kind: v.literal('phone'), ...common, ...needed }),
    v.strictObject({ kind: v.literal('website'), ...common, ...mayBeEmpty }),
    v.strictObject({
      kind: v.literal('message'),
      ...common,
      ...mayBeEmpty,
      maxLength: upTo(5_000),
      rows: upTo(30),
      first: v.optional(textSchema('Write a text here, or leave it out.', 5_000)),
    }),
    v.strictObject({
      kind: v.literal('choice'),
      ...common,
      ...needed,
      placeholder: line(100),
      options,
      autoComplete,
    }),
    v.strictObject({ kind: v.literal('radio'), ...common, ...needed, options }),
    v.strictObject({ kind: v.literal('checkboxes'), ...common, ...needed, unlisted: line(200), options }),
  ]),
  v.check(
    (field) => field.kind !== 'line' || (field.missing === undefined) === (field.optional === true),
    'A line has either "missing", what is said where it is empty, or "optional": true.',
  ),
);
export type DeclaredField = v.InferOutput<typeof DeclaredFieldSchema>;

/** The kinds that a forms service of this version knows. */
export const declaredKinds = [
  'line',
  'email',
  'phone',
  'website',
  'message',
  'choice',
  'radio',
  'checkboxes',
];

/**
 * The identifier of a declared form: the app that it belongs to, and its name there. So no app can take the form of another, and
 * nobody has to be asked for a name.
 */
export const DeclaredFormIdSchema = v.pipe(
  v.string(),
  v.maxLength(80, 'The identifier of a form has at most 80 characters.'),
  v.regex(
    /^mfe-[a-z0-9]+(-[a-z0-9]+)*\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'The identifier of a form is its app, "/" and a name in lower case, such as "mfe-careers/apply".',
  ),
);

/** The app that a declared form belongs to. */
export const appOfForm = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));

/** The most characters that a visitor may enter into one field. */
function mostText(field: DeclaredField): number {
  switch (field.kind) {
    case 'line':
      return field.maxLength ?? maxLengths.line;
    case 'email':
    case 'phone':
    case 'website':
      return maxLengths[field.kind];
    case 'message':
      return field.maxLength;
    case 'choice':
    case 'radio':
      return 50;
    case 'checkboxes':
      return field.options.reduce((sum, { value }) => sum + value.length + 3, 0);
  }
}

const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

/** A form as a version declares it: plain data. Lists, for a database may put the names of an object into another order. */
export const FormDeclarationSchema = v.strictObject({
  id: DeclaredFormIdSchema,
  /** Where it stands: a page of its app, perhaps with an anchor. */
  place: v.pipe(
    v.string(),
    v.check((place) => v.is(PagePathSchema, pageOfPlace(place)), 'A form stands on a page of its app.'),
    v.regex(/^[^#]*(#[a-z0-9-]{1,60})?$/, 'An anchor has lower-case letters, digits and "-".'),
  ),
  title: line(100),
  button: line(60),
  thanks: v.strictObject({ title: line(100), text: line(500) }),
  /** Who is told that something has come: a team. Its address is configuration of the forms service. */
  tell: v.pipe(
    v.string(),
    v.maxLength(40),
    v.regex(/^[a-z][a-z0-9-]*$/, 'Who is told is a team in lower case, such as "people", and no address.'),
  ),
  /** How long a submission is kept. */
  keepDays: upTo(1_096),
  fields: v.pipe(
    v.array(DeclaredFieldSchema),
    v.maxLength(versionLimits.declaredFields, tooMany('fields in one form')),
    v.check((fields) => isUnique(fields.map(({ name }) => name)), 'A field is listed twice.'),
    v.check(
      (fields) =>
        fields.filter(({ kind }) => kind === 'email').length === 1 &&
        fields.some(({ kind, name }) => kind === 'email' && name === 'email'),
      'One field is of the kind "email", and it is named "email": who sends the form. By it, what was sent is found and erased.',
    ),
    v.check(
      (fields) => fields.reduce((sum, field) => sum + mostText(field), 0) <= versionLimits.formText,
      ({ input }) =>
        `The fields take ${input.reduce((sum, field) => sum + mostText(field), 0)} characters together; a form takes at most ${versionLimits.formText}. Lower their "maxLength".`,
    ),
  ),
});
export type FormDeclaration = v.InferOutput<typeof FormDeclarationSchema>;

/** The page that a form stands on. */
export const pageOfPlace = (place: string): string => withoutAnchor(place);

/** All forms that one version declares. */
export const FormDeclarationsSchema = v.pipe(
  v.array(FormDeclarationSchema),
  v.maxLength(versionLimits.forms, tooMany('forms')),
  v.check((forms) => isUnique(forms.map(({ id }) => id)), 'A form is declared twice.'),
  v.check(
    (forms) => JSON.stringify(forms).length <= versionLimits.formBytes,
    ({ input }) =>
      `The forms have ${JSON.stringify(input).length} bytes as JSON; those of a version have at most ${versionLimits.formBytes}.`,
  ),
);

/** A form as its page has it → as a version declares it. Checks nothing. */
export function declarationOf({
  id,
  place,
  title,
  button,
  thanks,
  tell,
  keepDays,
  fields,
}: TeamForm): FormDeclaration {
  const declared: unknown = {
    id,
    place,
    title,
    button,
    thanks,
    tell,
    keepDays,
    fields: Object.entries(fields).map(([name, field]) => ({
      name,
      ...field,
      ...('options' in field
        ? { options: Object.entries(field.options).map(([value, label]) => ({ value, label })) }
        : {}),
    })),
  };
  return declared as FormDeclaration;
}

/** A form as a version declares it → as everything is made from it. */
export function teamFormOf({ fields, ...form }: FormDeclaration): TeamForm {
  return {
    ...form,
    name: form.id,
    sourceId: form.id,
    captcha: true,
    fields: Object.fromEntries(
      fields.map(({ name, ...field }) => [
        name,
        ('options' in field
          ? { ...field, options: Object.fromEntries(field.options.map(({ value, label }) => [value, label])) }
          : field) as FieldDefinition,
      ]),
    ),
  };
}

/** What `remote.config.ts` lists: forms as their pages have them. Read as declarations. */
export const DeclaredFormsConfigSchema = v.pipe(
  v.custom<TeamForm[]>((forms) => Array.isArray(forms) && forms.every(isForm), 'List what defineForm gives.'),
  v.transform((forms) => forms.map(declarationOf)),
  FormDeclarationsSchema,
);

function isForm(form: unknown): boolean {
  const { fields } = (form ?? {}) as { fields?: unknown };
  return (
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((field) => typeof field === 'object' && field !== null)
  );
}

/** A declared form that a channel shows, or has shown lately. */
export const LiveFormSchema = v.object({
  app: AppNameSchema,
  version: v.string(),
  /** Until when what open tabs send is taken; null while it is live. */
  until: v.nullable(TimestampSchema),
  /** A `FormDeclaration`; not looked into here, so that one of a later kind does not hide the others. */
  form: v.unknown(),
});
export type LiveForm = v.InferOutput<typeof LiveFormSchema>;
