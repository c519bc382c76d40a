import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { HONEYPOT_FIELD } from './form-sources.ts';
import { PagePathSchema, withoutAnchor } from '../route.schema.ts';
import { onePlainLine, textSchema } from '../text.schema.ts';
import { jsonBytes } from '../json-bytes.ts';
import { tooMany, versionLimits } from '../limits.ts';
import type { TeamForm } from './define-form.ts';
import { maxLengths, type FieldDefinition } from './form.ts';
import { TimestampSchema } from '../timestamp.schema.ts';

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
const yes = v.literal(true, 'Write true, or omit it.');

/** Names that a submission uses for other purposes. */
const taken = [HONEYPOT_FIELD, 'captcha', 'site', 'source_id', 'constructor', 'prototype'];

const FieldNameSchema = v.pipe(
  v.string(),
  v.maxLength(40, 'A field name has at most 40 characters.'),
  v.regex(/^[a-z][a-z0-9_]*$/, 'A field is named in lower case with "_", such as "first_name".'),
  v.check(
    (name) => !taken.includes(name),
    ({ input }) => `The name "${input}" is reserved. Choose another name.`,
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
        // Must begin with a letter, because objects list numeric keys first.
        v.regex(
          /^[A-Za-z][A-Za-z0-9_-]*$/,
          'A value begins with a letter, and has letters, digits, "-", "_".',
        ),
        v.check((value) => !taken.includes(value), 'This value is reserved. Choose another one.'),
      ),
      label: line(200),
    }),
  ),
  v.minLength(1, 'There are no options.'),
  v.maxLength(versionLimits.formOptions, tooMany('options in one field')),
  v.check((all) => isUnique(all.map(({ value }) => value)), 'A value is listed twice.'),
);

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
      links: v.optional(yes),
      first: v.optional(textSchema('Write a text here, or omit it.', 5_000)),
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
    'A line has either "missing" (the message for an empty value) or "optional": true.',
  ),
);
export type DeclaredField = v.InferOutput<typeof DeclaredFieldSchema>;

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
 * The identifier of a declared form: its app and its name there, so that apps cannot take each other's forms
 * and need no central registration.
 */
export const DeclaredFormIdSchema = v.pipe(
  v.string(),
  v.maxLength(80, 'The identifier of a form has at most 80 characters.'),
  v.regex(
    /^mfe-[a-z0-9]+(-[a-z0-9]+)*\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'The identifier of a form is its app, "/" and a name in lower case, such as "mfe-careers/apply".',
  ),
);

export const appOfForm = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));

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

/** A form as a version declares it: plain data. Uses lists, because a database may reorder object keys. */
export const FormDeclarationSchema = v.strictObject({
  id: DeclaredFormIdSchema,
  place: v.pipe(
    v.string(),
    v.check((place) => v.is(PagePathSchema, pageOfPlace(place)), 'A form must be on a page of its app.'),
    v.regex(/^[^#]*(#[a-z0-9-]{1,60})?$/, 'An anchor has lower-case letters, digits and "-".'),
  ),
  title: line(100),
  button: line(60),
  thanks: v.strictObject({ title: line(100), text: line(500) }),
  tell: v.pipe(
    v.string(),
    v.maxLength(40),
    v.regex(
      /^[a-z][a-z0-9-]*$/,
      '"tell" must be a lower-case team name such as "people", not an email address.',
    ),
  ),
  keepDays: upTo(1_096),
  fields: v.pipe(
    v.array(DeclaredFieldSchema),
    v.maxLength(versionLimits.declaredFields, tooMany('fields in one form')),
    v.check((fields) => isUnique(fields.map(({ name }) => name)), 'A field is listed twice.'),
    v.check(
      (fields) =>
        fields.filter(({ kind }) => kind === 'email').length === 1 &&
        fields.some(({ kind, name }) => kind === 'email' && name === 'email'),
      'One field must be of the kind "email" with the name "email": the sender\'s address. It is ' +
        'used to find and erase submissions.',
    ),
    v.check(
      (fields) => fields.reduce((sum, field) => sum + mostText(field), 0) <= versionLimits.formText,
      ({ input }) =>
        `The fields have ${input.reduce((sum, field) => sum + mostText(field), 0)} characters in ` +
        `total; a form has at most ${versionLimits.formText}. Lower their "maxLength".`,
    ),
  ),
});
export type FormDeclaration = v.InferOutput<typeof FormDeclarationSchema>;

export const pageOfPlace = (place: string): string => withoutAnchor(place);

export const FormDeclarationsSchema = v.pipe(
  v.array(FormDeclarationSchema),
  v.maxLength(versionLimits.forms, tooMany('forms')),
  v.check((forms) => isUnique(forms.map(({ id }) => id)), 'A form is declared twice.'),
  v.check(
    (forms) => jsonBytes(forms) <= versionLimits.formBytes,
    ({ input }) =>
      `The forms have ${jsonBytes(input)} bytes as JSON; the forms of a version have ` +
      `at most ${versionLimits.formBytes}.`,
  ),
);

export function toDeclaration({
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

export function toTeamForm({ fields, ...form }: FormDeclaration): TeamForm {
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

export const DeclaredFormsConfigSchema = v.pipe(
  v.custom<TeamForm[]>(
    (forms) => Array.isArray(forms) && forms.every(isForm),
    'List the results of defineForm.',
  ),
  v.transform((forms) => forms.map(toDeclaration)),
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

export const LiveFormSchema = v.object({
  app: AppNameSchema,
  version: v.string(),
  until: v.nullable(TimestampSchema),
  /** A `FormDeclaration`; not validated here, so that one of a newer kind does not invalidate the others. */
  form: v.unknown(),
});
export type LiveForm = v.InferOutput<typeof LiveFormSchema>;

/**
 * Finds a remote's own forms in a rendered page that its manifest does not declare: the forms service would
 * reject their submissions.
 * @param html the rendered page.
 * @returns their identifiers.
 */
export function undeclaredForms(
  { app, declaredForms = [] }: { app: string; declaredForms?: readonly { id: string }[] | undefined },
  html: string,
): string[] {
  const shown = [...html.matchAll(/<input [^<>]*>/g)]
    .filter(([tag]) => tag.includes(' name="source_id"'))
    .map(([tag]) => / value="([^"]*)"/.exec(tag)?.[1] ?? '');
  return shown.filter((id) => appOfForm(id) === app && !declaredForms.some((form) => form.id === id));
}
