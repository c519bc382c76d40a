import * as v from 'valibot';
import { RemoteConfigSchema } from '../remote-config.schema.ts';
import {
  declaredKinds,
  toDeclaration,
  FormDeclarationSchema,
  FormDeclarationsSchema,
  toTeamForm,
  undeclaredForms,
} from './declared-form.schema.ts';
import { defineForm, type TeamForm } from './define-form.ts';
import { createFormSchemas } from './form-schemas.ts';
import type { FieldDefinition } from './form.ts';

const applyForm = defineForm({
  id: 'mfe-careers/apply',
  place: '/careers#apply',
  title: 'Apply',
  button: 'Send',
  thanks: { title: 'We have it', text: 'We answer within a week.' },
  tell: 'people',
  keepDays: 180,
  fields: {
    email: { kind: 'email', label: 'Email' },
    full_name: { kind: 'line', label: 'Name', missing: 'Enter your name.', half: true },
    phone: { kind: 'phone', label: 'Phone', missing: 'Enter a phone number.' },
    portfolio: { kind: 'website', label: 'Portfolio', optional: true },
    role: {
      kind: 'choice',
      label: 'Role',
      missing: 'Choose a role.',
      placeholder: 'Choose one',
      options: { 'site-engineer': 'Site engineer', artist: 'Artist' },
    },
    about: {
      kind: 'message',
      label: 'About you',
      optional: true,
      maxLength: 2_000,
      rows: 6,
      first: 'Hi {brand}',
      links: true,
    },
    days: {
      kind: 'checkboxes',
      label: 'Days',
      missing: 'Choose a day.',
      unlisted: 'Choose a day.',
      options: { mon: 'Monday', tue: 'Tuesday' },
    },
  },
});

const config = (forms: unknown, name = 'mfe-careers') => ({
  name,
  owner: 'people',
  pages: [{ path: '/careers', page: './src/pages/careers-page.tsx' }],
  redirects: [],
  forms,
});
const listProblems = (forms: unknown, name?: string) =>
  (v.safeParse(RemoteConfigSchema, config(forms, name)).issues ?? []).map(({ message }) => message);
const withFields = (fields: Record<string, unknown>): TeamForm => ({
  ...applyForm,
  fields: { email: applyForm.fields.email, ...(fields as Record<string, FieldDefinition>) },
});

test('a form is unchanged after it was declared, stored with reordered keys, and parsed', () => {
  const stored = JSON.parse(
    JSON.stringify(toDeclaration(applyForm), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  ) as unknown;
  const read = toTeamForm(v.parse(FormDeclarationSchema, stored));
  expect(read).toEqual(applyForm);
  expect(Object.keys(read.fields)).toEqual(Object.keys(applyForm.fields));
  const { role } = read.fields;
  expect(role?.kind === 'choice' && Object.keys(role.options)).toEqual(['site-engineer', 'artist']);
  expect(Object.keys(createFormSchemas(read).form.entries)).toContain('full_name');
});

test('remote.config.ts lists forms in the format of their pages', () => {
  expect(v.parse(RemoteConfigSchema, config([applyForm])).forms).toEqual([toDeclaration(applyForm)]);
});

test('every kind of field that can be declared is supported by the forms service', () => {
  for (const kind of declaredKinds) {
    const issues = v.safeParse(FormDeclarationSchema, { fields: [{ kind }] }).issues ?? [];
    expect(issues.map(({ message }) => message).join(' ')).not.toMatch(/Expected \("line"/);
  }
});

test.each<[string, unknown, RegExp]>([
  ['a form of another app', [{ ...applyForm, id: 'mfe-blocks/apply' }], /begins with "mfe-careers\/"/],
  ['a form of the site', [{ ...applyForm, id: 'newsletter' }], /its app, "\/" and a name/],
  [
    'a place on the page of another app',
    [{ ...applyForm, place: '/blocks' }],
    /path of a page of this remote/,
  ],
  [
    'a place that is not a path',
    [{ ...applyForm, place: '//evil.example#x' }],
    /must be on a page of its app/,
  ],
  ['a place with markup', [{ ...applyForm, place: '/careers#"><b' }], /An anchor has/],
  ['the same form twice', [applyForm, applyForm], /declared twice/],
  ['an address of whom to tell', [{ ...applyForm, tell: 'me@example.com' }], /not an email address/],
  ['years', [{ ...applyForm, keepDays: 2_000 }], /at most 1096/],
  ['no sender', [{ ...applyForm, fields: { phone: applyForm.fields.phone } }], /with the name "email"/],
  [
    'two senders',
    [withFields({ other: { kind: 'email', label: 'Other' } })],
    /One field must be of the kind "email"/,
  ],
  [
    'the addresses of others',
    [withFields({ to: { kind: 'emails', label: 'To', most: 3, rows: 2 } })],
    /emails/,
  ],
  [
    'a pattern',
    [withFields({ a: { kind: 'line', label: 'A', optional: true, pattern: '(a+)+$' } })],
    /pattern/,
  ],
  [
    'a field __proto__',
    [withFields(JSON.parse('{"__proto__":{"kind":"phone","label":"A","missing":"B"}}') as object as never)],
    /lower case/,
  ],
  [
    'a field constructor',
    [withFields({ constructor: { kind: 'phone', label: 'A', missing: 'B' } })],
    /"constructor"/,
  ],
  [
    'the honeypot',
    [withFields({ reference_note: { kind: 'phone', label: 'A', missing: 'B' } })],
    /"reference_note"/,
  ],
  ['the captcha', [withFields({ captcha: { kind: 'phone', label: 'A', missing: 'B' } })], /"captcha"/],
  ['a line that is needed and not', [withFields({ a: { kind: 'line', label: 'A' } })], /either "missing"/],
  [
    'a value that is a number',
    [withFields({ a: { kind: 'radio', label: 'A', missing: 'B', options: { 1: 'One' } } })],
    /begins with a letter/,
  ],
  [
    'a label that turns the direction of writing',
    [withFields({ a: { kind: 'phone', label: 'A\u202eB', missing: 'B' } })],
    /direction of writing/,
  ],
  [
    'more text than a submission holds',
    [
      withFields({
        a: { kind: 'message', label: 'A', optional: true, maxLength: 5_000, rows: 5 },
        b: { kind: 'message', label: 'B', optional: true, maxLength: 5_000, rows: 5 },
      }),
    ],
    /have 10254 characters in total; a form has at most 7000/,
  ],
  [
    'a hundred fields',
    [
      withFields(
        Object.fromEntries(
          Array.from({ length: 100 }, (_, index) => [
            `a${index}`,
            { kind: 'phone', label: 'A', missing: 'B' },
          ]),
        ),
      ),
    ],
    /101 fields in one form/,
  ],
  [
    'a thousand options',
    [
      withFields({
        a: {
          kind: 'radio',
          label: 'A',
          missing: 'B',
          options: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, 'A'])),
        },
      }),
    ],
    /1000 options in one field/,
  ],
  ['a function', [() => applyForm], /the results of defineForm/],
  ['no list', applyForm, /the results of defineForm/],
])('a remote cannot declare %s', (_what, forms, says) => {
  expect(listProblems(forms).join('\n')).toMatch(says);
});

test.each(['x'.repeat(190), '€'.repeat(100)])('all forms of a version together stay small: %s', (label) => {
  const options = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`value${index}`, label]));
  const large = withFields({ a: { kind: 'radio', label: 'A', missing: 'B', options } });
  const two = ['a', 'b'].map((name) => toDeclaration({ ...large, id: `mfe-careers/${name}` }));
  expect(v.is(FormDeclarationsSchema, two.slice(1))).toBe(false);
  expect(v.safeParse(FormDeclarationsSchema, two).issues?.[0].message).toMatch(/bytes as JSON/);
});

test('a declared form fits into a submission, however it is encoded as JSON', () => {
  const message = { kind: 'message', label: 'A', optional: true, maxLength: 5_000, rows: 5 };
  const large = withFields({ a: message, b: { ...message, maxLength: 1_700 } });
  expect(v.is(FormDeclarationSchema, toDeclaration(large))).toBe(true);
  const fields = { a: '\n'.repeat(5_000), b: '"'.repeat(1_700), captcha: 'x'.repeat(4_000) };
  expect(JSON.stringify(fields).length).toBeLessThan(20_000);
});

const sourceInput = (id: string) => `<input type="hidden" name="source_id" value="${id}"/>`;
const mfe = { app: 'mfe-x', declaredForms: [{ id: 'mfe-x/known' }] } as never;

test.each([
  ['a form that is declared', sourceInput('mfe-x/known'), []],
  [
    'one that is not',
    `<form>${sourceInput('mfe-x/known')}${sourceInput('mfe-x/other')}</form>`,
    ['mfe-x/other'],
  ],
  ['a form of the site, or of another app', sourceInput('newsletter') + sourceInput('mfe-y/apply'), []],
  ['another field', '<input name="email" value="mfe-x/other"/>', []],
  // Could be used to keep the registry busy.
  ['a thousand names that lead to no value', `<input class='${' name="source_id"'.repeat(1_000)}'/>`, []],
])('the undeclared forms of a page with %s', (_what, html, undeclared) => {
  expect(undeclaredForms(mfe, html)).toEqual(undeclared);
});

test('a version without declarations has no forms', () => {
  expect(undeclaredForms({ app: 'mfe-x' }, sourceInput('mfe-x/apply'))).toEqual(['mfe-x/apply']);
});
