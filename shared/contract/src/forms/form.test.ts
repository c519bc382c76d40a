import * as v from 'valibot';
import { formSources } from './form-sources.ts';
import { createFormSchemas } from './form-schemas.ts';
import { controlAttributes, formThanks, type FieldDefinition } from './form.ts';
import { siteForms } from './site-forms.ts';

test('every form has its own name, identifier and location', () => {
  for (const [name, form] of Object.entries(siteForms)) {
    expect(form.name).toBe(name);
    expect(Object.entries(formSources)).toContainEqual([name, form.sourceId]);
    expect(form.fields['email']).toMatchObject({ kind: expect.stringMatching(/^(email|sender)$/) as string });
  }
});

test('forms with a confirmation have a message for each state, and no others do', () => {
  expect(formThanks(siteForms['partner-application'], 'held')).toBe(siteForms['partner-application'].thanks);
  expect(formThanks(siteForms.newsletter, 'held').title).toBe('We’ve got your address.');
  expect(formThanks(siteForms.referral, 'by_mail').title).toBe('Check your inbox');
  expect(formThanks(siteForms.referral).text).toContain('until you confirm it');
});

const label = 'Field';
const missing = 'Fill it in.';
const options = { a: 'A', b: 'B' };
const fields = {
  line: { kind: 'line', label, missing },
  short: { kind: 'line', label, optional: true, maxLength: 20 },
  email: { kind: 'email', label },
  sender: { kind: 'sender', label },
  emails: { kind: 'emails', label, most: 2, rows: 2 },
  phone: { kind: 'phone', label, missing },
  website: { kind: 'website', label, optional: true },
  message: { kind: 'message', label, optional: true, maxLength: 2_000, rows: 4 },
  choice: { kind: 'choice', label, missing, options, placeholder: 'Choose' },
  radio: { kind: 'radio', label, missing, options },
  checkboxes: { kind: 'checkboxes', label, missing, unlisted: 'Choose from the list.', options },
} satisfies Record<string, FieldDefinition>;
const { entries } = createFormSchemas({ fields, captcha: true }).form;
const takes = (name: string, value: unknown) => v.safeParse(entries[name]!, value).success;

/** A text of this length that is otherwise valid. */
const ofLength: Record<string, (length: number) => string> = {
  line: (length) => 'a'.repeat(length),
  short: (length) => 'a'.repeat(length),
  email: (length) => `${'a'.repeat(length - 6)}@x.com`,
  sender: (length) => `a@${'a.'.repeat(length).slice(0, length - 6)}bb.c`,
  phone: (length) => `1${' '.repeat(length - 7)}234567`,
  website: (length) => 'https://x.com/'.padEnd(length, 'a'),
  message: (length) => 'a'.repeat(length),
};

test.each(Object.entries(ofLength))(
  'the control of %s accepts as many characters as its rules',
  (name, text) => {
    const { maxLength = 0 } = controlAttributes(fields[name as keyof typeof fields]);
    expect(text(maxLength)).toHaveLength(maxLength);
    expect(takes(name, text(maxLength))).toBe(true);
    expect(takes(name, text(maxLength + 1))).toBe(false);
  },
);

test.each(Object.entries<FieldDefinition>(fields))(
  'the browser requires %s if the rules do',
  (name, field) => {
    const isList = field.kind === 'emails' || field.kind === 'checkboxes';
    const { required = false } = controlAttributes(field);
    // HTML cannot require one of several checkboxes.
    expect(required || field.kind === 'checkboxes').toBe(!takes(name, isList ? [] : ''));
  },
);

test('a message holds links only if its field allows them', () => {
  const { message } = fields;
  const { fields: schemas } = createFormSchemas({
    fields: { email: fields.email, message, open: { ...message, links: true as const } },
    captcha: false,
  });
  expect(v.is(schemas, { message: 'Node.js', open: 'See https://example.com.' })).toBe(true);
  expect(v.is(schemas, { message: 'See https://example.com.' })).toBe(false);
});

test('a form accepts its fields and the hidden ones, and no others', () => {
  const { fields: others } = createFormSchemas({
    fields: { email: fields.email, short: fields.short },
    captcha: true,
  });
  expect(v.parse(others, { short: ' a ', captcha: 'b', reference_note: 'c' })).toEqual({
    short: 'a',
    captcha: 'b',
    reference_note: 'c',
  });
  expect(v.is(others, {})).toBe(true);
  expect(v.is(others, { email: 'a@x.com' })).toBe(false);
  const withoutCaptcha = createFormSchemas({ fields: { email: fields.email }, captcha: false });
  expect(v.is(withoutCaptcha.form, { email: 'a@x.com', captcha: '' })).toBe(false);
});
