import * as v from 'valibot';
import { EmailSchema, emailSchema, EntrySchema, SenderEmailSchema, uniqueEmails } from './email.schema.ts';
import { HONEYPOT_FIELD } from './form-sources.ts';
import { lineSchema, linklessTextSchema, optionalLineSchema, optionalTextSchema } from '../text.schema.ts';
import { isPhone, splitEmails, typedPhone } from '../typed-text.ts';
import { maxLengths, type FieldDefinition, type FieldDefinitions } from './form.ts';

/** Accepts anything: a bot must not learn that it was detected. */
export const HoneypotSchema = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 500),
  ),
);

const CaptchaSchema = v.pipe(v.string(), v.maxLength(4_000));

interface HiddenValues {
  [HONEYPOT_FIELD]?: string | undefined;
  captcha?: string | undefined;
}

type Value<Field> = Field extends { kind: 'emails' | 'checkboxes' } ? string[] : string;

type FormValues<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { optional: true } ? never : Name]: Value<Fields[Name]>;
} & {
  [Name in keyof Fields as Fields[Name] extends { optional: true } ? Name : never]?: Value<Fields[Name]>;
} & HiddenValues;

export type FormSchema<Values> = v.GenericSchema<unknown, Values> & {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
};

export interface FormSchemas<Fields> {
  form: FormSchema<FormValues<Fields>>;
  email: v.GenericSchema<unknown, string>;
  fields: FormSchema<FormValues<Omit<Fields, 'email'>>>;
}

export function createFormSchemas<Fields extends FieldDefinitions>({
  fields,
  captcha,
}: {
  fields: Fields;
  captcha: boolean;
}): FormSchemas<Fields> {
  const entries: Record<string, v.GenericSchema> = {
    ...Object.fromEntries(
      Object.entries<FieldDefinition>(fields).map(([name, field]) => [
        name,
        field.optional ? v.optional(fieldSchema(field)) : fieldSchema(field),
      ]),
    ),
    [HONEYPOT_FIELD]: v.optional(HoneypotSchema),
    ...(captcha ? { captcha: v.optional(CaptchaSchema) } : {}),
  };
  const { email = EmailSchema, ...others } = entries;
  return { form: v.strictObject(entries), email, fields: v.strictObject(others) } as FormSchemas<Fields>;
}

function fieldSchema(field: FieldDefinition): v.GenericSchema<unknown, string | string[]> {
  switch (field.kind) {
    case 'line': {
      const { maxLength = maxLengths.line } = field;
      return field.optional ? optionalLineSchema(maxLength) : lineSchema(field.missing, maxLength);
    }
    case 'email':
      return emailSchema(field.problem);
    case 'sender':
      return SenderEmailSchema;
    case 'emails':
      return emailsSchema(field.most);
    case 'phone':
      return phoneSchema(field.missing);
    case 'website':
      return WebsiteSchema;
    case 'message':
      return (field.links ? optionalTextSchema : linklessTextSchema)(field.maxLength);
    case 'choice':
    case 'radio':
      return v.picklist(Object.keys(field.options), field.missing);
    case 'checkboxes':
      return choicesSchema(Object.keys(field.options), field);
  }
}

function emailsSchema(most: number) {
  const missing = 'Enter at least one email address.';
  const tooMany = `Enter at most ${most} email addresses.`;
  return v.pipe(
    v.union([v.string(), v.array(v.unknown())], missing),
    v.transform((value) => (typeof value === 'string' ? splitEmails(value) : value)),
    v.minLength(1, missing),
    // Before validating each: a huge list costs nothing.
    v.maxLength(10 * most, tooMany),
    v.array(EntrySchema),
    v.transform(uniqueEmails),
    v.maxLength(most, tooMany),
  );
}

const phoneSchema = (missing: string) =>
  v.pipe(
    v.string(missing),
    v.transform(typedPhone),
    lineSchema(missing, maxLengths.phone),
    v.check(
      isPhone,
      'Enter a phone number such as +1 303 555 0100: 7 to 15 digits, spaces, ( ) . / and - between ' +
        'them, “ext. 12” at the end.',
    ),
  );

/** A website; the added `https://` counts towards the length. May be empty. */
export const WebsiteSchema = v.pipe(
  optionalLineSchema(maxLengths.website),
  v.transform((text) => (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)),
  v.maxLength(maxLengths.website, `Use at most ${maxLengths.website} characters.`),
  v.check(isWebsite, 'Enter a web address such as https://example.com.'),
);

function isWebsite(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  return /^https?:$/.test(protocol) && /^[^.]+(\.[^.]+)+\.?$/.test(hostname) && username === '';
}

const choicesSchema = (values: string[], { missing, unlisted }: { missing: string; unlisted: string }) =>
  v.pipe(
    v.array(v.picklist(values, unlisted), missing),
    v.minLength(1, missing),
    v.maxLength(values.length, 'Choose each of them once.'),
    v.transform((chosen) => [...new Set(chosen)]),
  );
